(define (problem warehouse-p6)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 pallet4 - pallet
    shelf1 shelf2 shelf3
    station1 station2
    dock1 dock2 dock3 - place)
  (:init
    (equipped station1) (equipped station2)
    (forklift-at shelf2) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf3) (at pallet4 shelf1)
    (wrapped pallet1))
  (:goal (and
    (at pallet1 dock3) (at pallet2 dock3) (at pallet3 dock2) (at pallet4 dock1))))
