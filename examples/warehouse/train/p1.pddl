(define (problem warehouse-p1)
  (:domain warehouse)
  (:objects
    pallet1 - pallet
    shelf1
    station1
    dock1 - place)
  (:init
    (equipped station1)
    (forklift-at shelf1) (fork-free)
    (at pallet1 shelf1))
  (:goal (and
    (at pallet1 dock1))))
