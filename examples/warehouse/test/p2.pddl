(define (problem warehouse-large-p2)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 pallet4 pallet5 pallet6 pallet7 pallet8 pallet9 pallet10
    pallet11 pallet12 pallet13 pallet14 pallet15 pallet16 pallet17 pallet18 pallet19
    pallet20 - pallet
    shelf1 shelf2 shelf3 shelf4 shelf5 shelf6 shelf7 shelf8 shelf9 shelf10 shelf11 shelf12
    station1 station2
    dock1 dock2 dock3 dock4 - place)
  (:init
    (equipped station1) (equipped station2)
    (forklift-at shelf3) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf3) (at pallet4 shelf4)
    (at pallet5 shelf5) (at pallet6 dock2) (at pallet7 dock2) (at pallet8 shelf8)
    (at pallet9 shelf9) (at pallet10 shelf10) (at pallet11 shelf11) (at pallet12 shelf12)
    (at pallet13 shelf2) (at pallet14 shelf8) (at pallet15 shelf9) (at pallet16 shelf6)
    (at pallet17 shelf4) (at pallet18 shelf8) (at pallet19 shelf6) (at pallet20 shelf4)
    (wrapped pallet6) (wrapped pallet7) (wrapped pallet9) (wrapped pallet15)
    (wrapped pallet16))
  (:goal (and
    (at pallet1 dock1) (at pallet2 dock4) (at pallet3 dock4) (at pallet4 dock2)
    (at pallet5 dock3) (at pallet6 dock2) (at pallet7 dock2) (at pallet8 dock4)
    (at pallet9 dock1) (at pallet10 dock1) (at pallet11 dock2) (at pallet12 dock4)
    (at pallet13 dock1) (at pallet14 dock3) (at pallet15 dock1) (at pallet16 dock3)
    (at pallet17 dock4) (at pallet18 dock2) (at pallet19 dock3) (at pallet20 dock3))))
