(define (problem warehouse-p5)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 - pallet
    shelf1 shelf2
    station1 station2
    dock1 dock2 - place)
  (:init
    (equipped station1) (equipped station2)
    (forklift-at dock2) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf1))
  (:goal (and
    (at pallet1 dock1) (at pallet2 dock2) (at pallet3 dock2))))
