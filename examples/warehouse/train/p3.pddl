(define (problem warehouse-p3)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 - pallet
    shelf1 shelf2
    station1
    dock1 dock2 - place)
  (:init
    (equipped station1)
    (forklift-at dock1) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2)
    (wrapped pallet1))
  (:goal (and
    (at pallet1 dock2) (at pallet2 dock1))))
