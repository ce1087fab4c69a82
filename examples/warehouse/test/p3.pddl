(define (problem warehouse-large-p3)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 pallet4 pallet5 pallet6 pallet7 pallet8 pallet9 pallet10
    pallet11 pallet12 pallet13 pallet14 pallet15 pallet16 pallet17 pallet18 pallet19
    pallet20 pallet21 pallet22 pallet23 pallet24 pallet25 pallet26 pallet27 pallet28
    pallet29 pallet30 pallet31 pallet32 pallet33 pallet34 pallet35 pallet36 pallet37
    pallet38 pallet39 pallet40 - pallet
    shelf1 shelf2 shelf3 shelf4 shelf5 shelf6 shelf7 shelf8 shelf9 shelf10 shelf11 shelf12
    shelf13 shelf14 shelf15 shelf16 shelf17 shelf18 shelf19 shelf20
    station1 station2 station3
    dock1 dock2 dock3 dock4 dock5 dock6 - place)
  (:init
    (equipped station1) (equipped station2) (equipped station3)
    (forklift-at shelf6) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf3) (at pallet4 shelf4)
    (at pallet5 shelf5) (at pallet6 shelf6) (at pallet7 shelf7) (at pallet8 shelf8)
    (at pallet9 shelf9) (at pallet10 shelf10) (at pallet11 shelf11) (at pallet12 shelf12)
    (at pallet13 shelf13) (at pallet14 shelf14) (at pallet15 shelf15) (at pallet16 shelf16)
    (at pallet17 shelf17) (at pallet18 shelf18) (at pallet19 shelf19) (at pallet20 shelf20)
    (at pallet21 shelf13) (at pallet22 shelf5) (at pallet23 shelf6) (at pallet24 shelf12)
    (at pallet25 shelf7) (at pallet26 shelf3) (at pallet27 shelf19) (at pallet28 dock5)
    (at pallet29 shelf8) (at pallet30 shelf10) (at pallet31 shelf14) (at pallet32 shelf5)
    (at pallet33 shelf18) (at pallet34 shelf20) (at pallet35 shelf15) (at pallet36 shelf9)
    (at pallet37 shelf11) (at pallet38 shelf16) (at pallet39 dock3) (at pallet40 shelf18)
    (wrapped pallet2) (wrapped pallet4) (wrapped pallet11) (wrapped pallet12)
    (wrapped pallet13) (wrapped pallet14) (wrapped pallet16) (wrapped pallet17)
    (wrapped pallet18) (wrapped pallet26) (wrapped pallet27) (wrapped pallet28)
    (wrapped pallet30) (wrapped pallet34) (wrapped pallet35) (wrapped pallet37)
    (wrapped pallet39))
  (:goal (and
    (at pallet1 dock1) (at pallet2 dock4) (at pallet3 dock6) (at pallet4 dock3)
    (at pallet5 dock3) (at pallet6 dock3) (at pallet7 dock1) (at pallet8 dock2)
    (at pallet9 dock4) (at pallet10 dock2) (at pallet11 dock4) (at pallet12 dock5)
    (at pallet13 dock1) (at pallet14 dock4) (at pallet15 dock6) (at pallet16 dock5)
    (at pallet17 dock3) (at pallet18 dock6) (at pallet19 dock5) (at pallet20 dock1)
    (at pallet21 dock1) (at pallet22 dock2) (at pallet23 dock6) (at pallet24 dock5)
    (at pallet25 dock2) (at pallet26 dock2) (at pallet27 dock4) (at pallet28 dock5)
    (at pallet29 dock5) (at pallet30 dock2) (at pallet31 dock3) (at pallet32 dock2)
    (at pallet33 dock5) (at pallet34 dock3) (at pallet35 dock4) (at pallet36 dock1)
    (at pallet37 dock1) (at pallet38 dock6) (at pallet39 dock3) (at pallet40 dock6))))
