(define (problem warehouse-large-p1)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 pallet4 pallet5 pallet6 pallet7 pallet8 pallet9 pallet10 - pallet
    shelf1 shelf2 shelf3 shelf4 shelf5 shelf6
    station1 station2
    dock1 dock2 dock3 - place)
  (:init
    (equipped station1) (equipped station2)
    (forklift-at shelf4) (fork-free)
    (at pallet1 shelf1) (at pallet2 dock1) (at pallet3 shelf3) (at pallet4 shelf4)
    (at pallet5 shelf5) (at pallet6 shelf6) (at pallet7 shelf1) (at pallet8 shelf6)
    (at pallet9 dock1) (at pallet10 shelf4)
    (wrapped pallet1) (wrapped pallet2) (wrapped pallet3) (wrapped pallet4)
    (wrapped pallet6) (wrapped pallet7) (wrapped pallet9))
  (:goal (and
    (at pallet1 dock2) (at pallet2 dock1) (at pallet3 dock2) (at pallet4 dock1)
    (at pallet5 dock3) (at pallet6 dock1) (at pallet7 dock3) (at pallet8 dock3)
    (at pallet9 dock1) (at pallet10 dock2))))
