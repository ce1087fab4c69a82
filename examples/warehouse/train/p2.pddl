(define (problem warehouse-p2)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 - pallet
    shelf1
    station1
    dock1 - place)
  (:init
    (equipped station1)
    (forklift-at shelf1) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf1))
  (:goal (and
    (at pallet1 dock1) (at pallet2 dock1))))
