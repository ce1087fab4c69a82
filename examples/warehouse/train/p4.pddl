(define (problem warehouse-p4)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 - pallet
    shelf1 shelf2
    station1
    dock1 dock2 - place)
  (:init
    (equipped station1)
    (forklift-at dock2) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 dock2)
    (wrapped pallet2) (wrapped pallet3))
  (:goal (and
    (at pallet1 dock1) (at pallet2 dock1) (at pallet3 dock2))))
