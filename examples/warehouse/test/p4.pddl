(define (problem warehouse-large-p4)
  (:domain warehouse)
  (:objects
    pallet1 pallet2 pallet3 pallet4 pallet5 pallet6 pallet7 pallet8 pallet9 pallet10
    pallet11 pallet12 pallet13 pallet14 pallet15 pallet16 pallet17 pallet18 pallet19
    pallet20 pallet21 pallet22 pallet23 pallet24 pallet25 pallet26 pallet27 pallet28
    pallet29 pallet30 pallet31 pallet32 pallet33 pallet34 pallet35 pallet36 pallet37
    pallet38 pallet39 pallet40 pallet41 pallet42 pallet43 pallet44 pallet45 pallet46
    pallet47 pallet48 pallet49 pallet50 pallet51 pallet52 pallet53 pallet54 pallet55
    pallet56 pallet57 pallet58 pallet59 pallet60 pallet61 pallet62 pallet63 pallet64
    pallet65 pallet66 pallet67 pallet68 pallet69 pallet70 pallet71 pallet72 pallet73
    pallet74 pallet75 pallet76 pallet77 pallet78 pallet79 pallet80 - pallet
    shelf1 shelf2 shelf3 shelf4 shelf5 shelf6 shelf7 shelf8 shelf9 shelf10 shelf11 shelf12
    shelf13 shelf14 shelf15 shelf16 shelf17 shelf18 shelf19 shelf20 shelf21 shelf22 shelf23
    shelf24 shelf25 shelf26 shelf27 shelf28 shelf29 shelf30 shelf31 shelf32 shelf33 shelf34
    shelf35 shelf36 shelf37 shelf38 shelf39 shelf40
    station1 station2 station3 station4
    dock1 dock2 dock3 dock4 dock5 dock6 dock7 dock8 - place)
  (:init
    (equipped station1) (equipped station2) (equipped station3) (equipped station4)
    (forklift-at shelf39) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf3) (at pallet4 shelf4)
    (at pallet5 shelf5) (at pallet6 shelf6) (at pallet7 shelf7) (at pallet8 shelf8)
    (at pallet9 dock1) (at pallet10 shelf10) (at pallet11 shelf11) (at pallet12 shelf12)
    (at pallet13 shelf13) (at pallet14 shelf14) (at pallet15 shelf15) (at pallet16 shelf16)
    (at pallet17 shelf17) (at pallet18 shelf18) (at pallet19 shelf19) (at pallet20 shelf20)
    (at pallet21 shelf21) (at pallet22 shelf22) (at pallet23 shelf23) (at pallet24 shelf24)
    (at pallet25 shelf25) (at pallet26 shelf26) (at pallet27 shelf27) (at pallet28 shelf28)
    (at pallet29 shelf29) (at pallet30 shelf30) (at pallet31 shelf31) (at pallet32 shelf32)
    (at pallet33 shelf33) (at pallet34 dock6) (at pallet35 shelf35) (at pallet36 shelf36)
    (at pallet37 shelf37) (at pallet38 shelf38) (at pallet39 shelf39) (at pallet40 shelf40)
    (at pallet41 shelf12) (at pallet42 shelf29) (at pallet43 shelf3) (at pallet44 shelf21)
    (at pallet45 shelf19) (at pallet46 shelf1) (at pallet47 shelf35) (at pallet48 shelf16)
    (at pallet49 shelf37) (at pallet50 shelf16) (at pallet51 shelf40) (at pallet52 shelf15)
    (at pallet53 shelf15) (at pallet54 shelf25) (at pallet55 shelf10) (at pallet56 shelf38)
    (at pallet57 shelf6) (at pallet58 shelf25) (at pallet59 shelf2) (at pallet60 shelf31)
    (at pallet61 shelf30) (at pallet62 shelf22) (at pallet63 shelf6) (at pallet64 shelf36)
    (at pallet65 shelf10) (at pallet66 shelf3) (at pallet67 shelf21) (at pallet68 shelf18)
    (at pallet69 shelf15) (at pallet70 shelf35) (at pallet71 shelf7) (at pallet72 shelf30)
    (at pallet73 shelf20) (at pallet74 shelf26) (at pallet75 shelf12) (at pallet76 shelf12)
    (at pallet77 shelf18) (at pallet78 shelf24) (at pallet79 shelf34) (at pallet80 shelf39)
    (wrapped pallet3) (wrapped pallet4) (wrapped pallet5) (wrapped pallet9)
    (wrapped pallet10) (wrapped pallet18) (wrapped pallet19) (wrapped pallet22)
    (wrapped pallet27) (wrapped pallet34) (wrapped pallet36) (wrapped pallet39)
    (wrapped pallet40) (wrapped pallet43) (wrapped pallet45) (wrapped pallet47)
    (wrapped pallet52) (wrapped pallet55) (wrapped pallet56) (wrapped pallet57)
    (wrapped pallet65) (wrapped pallet77))
  (:goal (and
    (at pallet1 dock5) (at pallet2 dock5) (at pallet3 dock8) (at pallet4 dock6)
    (at pallet5 dock1) (at pallet6 dock7) (at pallet7 dock2) (at pallet8 dock8)
    (at pallet9 dock1) (at pallet10 dock2) (at pallet11 dock7) (at pallet12 dock8)
    (at pallet13 dock1) (at pallet14 dock2) (at pallet15 dock3) (at pallet16 dock4)
    (at pallet17 dock6) (at pallet18 dock6) (at pallet19 dock3) (at pallet20 dock7)
    (at pallet21 dock3) (at pallet22 dock3) (at pallet23 dock4) (at pallet24 dock1)
    (at pallet25 dock2) (at pallet26 dock4) (at pallet27 dock7) (at pallet28 dock5)
    (at pallet29 dock4) (at pallet30 dock6) (at pallet31 dock2) (at pallet32 dock4)
    (at pallet33 dock5) (at pallet34 dock6) (at pallet35 dock6) (at pallet36 dock2)
    (at pallet37 dock5) (at pallet38 dock8) (at pallet39 dock7) (at pallet40 dock1)
    (at pallet41 dock8) (at pallet42 dock1) (at pallet43 dock7) (at pallet44 dock5)
    (at pallet45 dock8) (at pallet46 dock3) (at pallet47 dock1) (at pallet48 dock8)
    (at pallet49 dock5) (at pallet50 dock3) (at pallet51 dock7) (at pallet52 dock2)
    (at pallet53 dock2) (at pallet54 dock1) (at pallet55 dock6) (at pallet56 dock7)
    (at pallet57 dock8) (at pallet58 dock3) (at pallet59 dock8) (at pallet60 dock4)
    (at pallet61 dock3) (at pallet62 dock2) (at pallet63 dock7) (at pallet64 dock6)
    (at pallet65 dock6) (at pallet66 dock5) (at pallet67 dock6) (at pallet68 dock4)
    (at pallet69 dock5) (at pallet70 dock1) (at pallet71 dock3) (at pallet72 dock7)
    (at pallet73 dock5) (at pallet74 dock4) (at pallet75 dock4) (at pallet76 dock1)
    (at pallet77 dock8) (at pallet78 dock2) (at pallet79 dock4) (at pallet80 dock3))))
