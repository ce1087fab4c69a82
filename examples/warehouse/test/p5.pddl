(define (problem warehouse-large-p5)
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
    pallet74 pallet75 pallet76 pallet77 pallet78 pallet79 pallet80 pallet81 pallet82
    pallet83 pallet84 pallet85 pallet86 pallet87 pallet88 pallet89 pallet90 pallet91
    pallet92 pallet93 pallet94 pallet95 pallet96 pallet97 pallet98 pallet99 pallet100
    pallet101 pallet102 pallet103 pallet104 pallet105 pallet106 pallet107 pallet108
    pallet109 pallet110 pallet111 pallet112 pallet113 pallet114 pallet115 pallet116
    pallet117 pallet118 pallet119 pallet120 pallet121 pallet122 pallet123 pallet124
    pallet125 pallet126 pallet127 pallet128 pallet129 pallet130 pallet131 pallet132
    pallet133 pallet134 pallet135 pallet136 pallet137 pallet138 pallet139 pallet140
    pallet141 pallet142 pallet143 pallet144 pallet145 pallet146 pallet147 pallet148
    pallet149 pallet150 pallet151 pallet152 pallet153 pallet154 pallet155 pallet156
    pallet157 pallet158 pallet159 pallet160 - pallet
    shelf1 shelf2 shelf3 shelf4 shelf5 shelf6 shelf7 shelf8 shelf9 shelf10 shelf11 shelf12
    shelf13 shelf14 shelf15 shelf16 shelf17 shelf18 shelf19 shelf20 shelf21 shelf22 shelf23
    shelf24 shelf25 shelf26 shelf27 shelf28 shelf29 shelf30 shelf31 shelf32 shelf33 shelf34
    shelf35 shelf36 shelf37 shelf38 shelf39 shelf40 shelf41 shelf42 shelf43 shelf44 shelf45
    shelf46 shelf47 shelf48 shelf49 shelf50 shelf51 shelf52 shelf53 shelf54 shelf55 shelf56
    shelf57 shelf58 shelf59 shelf60
    station1 station2 station3 station4 station5
    dock1 dock2 dock3 dock4 dock5 dock6 dock7 dock8 dock9 dock10 dock11 dock12 - place)
  (:init
    (equipped station1) (equipped station2) (equipped station3) (equipped station4)
    (equipped station5)
    (forklift-at shelf48) (fork-free)
    (at pallet1 shelf1) (at pallet2 shelf2) (at pallet3 shelf3) (at pallet4 shelf4)
    (at pallet5 shelf5) (at pallet6 shelf6) (at pallet7 shelf7) (at pallet8 shelf8)
    (at pallet9 shelf9) (at pallet10 shelf10) (at pallet11 shelf11) (at pallet12 shelf12)
    (at pallet13 shelf13) (at pallet14 shelf14) (at pallet15 dock12) (at pallet16 shelf16)
    (at pallet17 shelf17) (at pallet18 shelf18) (at pallet19 shelf19) (at pallet20 shelf20)
    (at pallet21 shelf21) (at pallet22 shelf22) (at pallet23 shelf23) (at pallet24 shelf24)
    (at pallet25 shelf25) (at pallet26 shelf26) (at pallet27 shelf27) (at pallet28 shelf28)
    (at pallet29 shelf29) (at pallet30 shelf30) (at pallet31 shelf31) (at pallet32 shelf32)
    (at pallet33 shelf33) (at pallet34 shelf34) (at pallet35 shelf35) (at pallet36 shelf36)
    (at pallet37 shelf37) (at pallet38 shelf38) (at pallet39 shelf39) (at pallet40 shelf40)
    (at pallet41 shelf41) (at pallet42 shelf42) (at pallet43 shelf43) (at pallet44 shelf44)
    (at pallet45 shelf45) (at pallet46 shelf46) (at pallet47 shelf47) (at pallet48 shelf48)
    (at pallet49 shelf49) (at pallet50 shelf50) (at pallet51 shelf51) (at pallet52 shelf52)
    (at pallet53 shelf53) (at pallet54 shelf54) (at pallet55 shelf55) (at pallet56 shelf56)
    (at pallet57 shelf57) (at pallet58 shelf58) (at pallet59 shelf59) (at pallet60 shelf60)
    (at pallet61 shelf50) (at pallet62 shelf14) (at pallet63 shelf60) (at pallet64 shelf25)
    (at pallet65 shelf40) (at pallet66 shelf50) (at pallet67 shelf59) (at pallet68 shelf40)
    (at pallet69 shelf29) (at pallet70 shelf18) (at pallet71 shelf5) (at pallet72 shelf58)
    (at pallet73 shelf33) (at pallet74 shelf9) (at pallet75 shelf33) (at pallet76 shelf23)
    (at pallet77 shelf3) (at pallet78 shelf50) (at pallet79 shelf38) (at pallet80 shelf59)
    (at pallet81 shelf11) (at pallet82 shelf30) (at pallet83 shelf1) (at pallet84 shelf12)
    (at pallet85 shelf36) (at pallet86 shelf18) (at pallet87 shelf28) (at pallet88 shelf57)
    (at pallet89 shelf2) (at pallet90 shelf17) (at pallet91 shelf23) (at pallet92 shelf34)
    (at pallet93 shelf57) (at pallet94 shelf30) (at pallet95 shelf3) (at pallet96 shelf45)
    (at pallet97 shelf12) (at pallet98 shelf11) (at pallet99 shelf11) (at pallet100 shelf32)
    (at pallet101 dock9) (at pallet102 shelf52) (at pallet103 shelf8) (at pallet104 shelf20)
    (at pallet105 shelf47) (at pallet106 shelf44) (at pallet107 shelf4)
    (at pallet108 shelf44) (at pallet109 shelf20) (at pallet110 shelf1)
    (at pallet111 shelf5) (at pallet112 shelf29) (at pallet113 shelf22)
    (at pallet114 shelf8) (at pallet115 shelf16) (at pallet116 shelf52)
    (at pallet117 shelf35) (at pallet118 shelf32) (at pallet119 shelf7)
    (at pallet120 shelf24) (at pallet121 shelf16) (at pallet122 shelf52)
    (at pallet123 shelf45) (at pallet124 shelf53) (at pallet125 shelf56)
    (at pallet126 shelf5) (at pallet127 shelf18) (at pallet128 shelf7)
    (at pallet129 shelf49) (at pallet130 shelf21) (at pallet131 shelf52)
    (at pallet132 shelf21) (at pallet133 shelf31) (at pallet134 shelf29)
    (at pallet135 shelf57) (at pallet136 shelf28) (at pallet137 shelf46)
    (at pallet138 shelf33) (at pallet139 shelf43) (at pallet140 shelf53)
    (at pallet141 shelf14) (at pallet142 shelf40) (at pallet143 shelf47)
    (at pallet144 shelf15) (at pallet145 shelf10) (at pallet146 shelf37)
    (at pallet147 shelf24) (at pallet148 shelf11) (at pallet149 shelf7)
    (at pallet150 shelf38) (at pallet151 shelf21) (at pallet152 shelf10)
    (at pallet153 shelf43) (at pallet154 shelf60) (at pallet155 shelf28)
    (at pallet156 shelf20) (at pallet157 shelf38) (at pallet158 shelf58)
    (at pallet159 shelf57) (at pallet160 shelf15)
    (wrapped pallet1) (wrapped pallet2) (wrapped pallet9) (wrapped pallet10)
    (wrapped pallet15) (wrapped pallet19) (wrapped pallet24) (wrapped pallet27)
    (wrapped pallet33) (wrapped pallet34) (wrapped pallet38) (wrapped pallet39)
    (wrapped pallet46) (wrapped pallet48) (wrapped pallet55) (wrapped pallet57)
    (wrapped pallet63) (wrapped pallet64) (wrapped pallet65) (wrapped pallet74)
    (wrapped pallet75) (wrapped pallet77) (wrapped pallet86) (wrapped pallet94)
    (wrapped pallet101) (wrapped pallet109) (wrapped pallet121) (wrapped pallet135)
    (wrapped pallet136) (wrapped pallet150) (wrapped pallet154) (wrapped pallet160))
  (:goal (and
    (at pallet1 dock7) (at pallet2 dock10) (at pallet3 dock3) (at pallet4 dock4)
    (at pallet5 dock9) (at pallet6 dock7) (at pallet7 dock6) (at pallet8 dock12)
    (at pallet9 dock4) (at pallet10 dock10) (at pallet11 dock12) (at pallet12 dock3)
    (at pallet13 dock3) (at pallet14 dock11) (at pallet15 dock12) (at pallet16 dock6)
    (at pallet17 dock7) (at pallet18 dock1) (at pallet19 dock3) (at pallet20 dock1)
    (at pallet21 dock4) (at pallet22 dock12) (at pallet23 dock4) (at pallet24 dock9)
    (at pallet25 dock8) (at pallet26 dock4) (at pallet27 dock2) (at pallet28 dock6)
    (at pallet29 dock9) (at pallet30 dock11) (at pallet31 dock6) (at pallet32 dock10)
    (at pallet33 dock12) (at pallet34 dock5) (at pallet35 dock7) (at pallet36 dock12)
    (at pallet37 dock11) (at pallet38 dock10) (at pallet39 dock4) (at pallet40 dock3)
    (at pallet41 dock2) (at pallet42 dock11) (at pallet43 dock1) (at pallet44 dock3)
    (at pallet45 dock3) (at pallet46 dock5) (at pallet47 dock8) (at pallet48 dock1)
    (at pallet49 dock7) (at pallet50 dock6) (at pallet51 dock10) (at pallet52 dock2)
    (at pallet53 dock10) (at pallet54 dock3) (at pallet55 dock7) (at pallet56 dock10)
    (at pallet57 dock10) (at pallet58 dock4) (at pallet59 dock7) (at pallet60 dock8)
    (at pallet61 dock8) (at pallet62 dock7) (at pallet63 dock2) (at pallet64 dock1)
    (at pallet65 dock8) (at pallet66 dock4) (at pallet67 dock1) (at pallet68 dock3)
    (at pallet69 dock2) (at pallet70 dock5) (at pallet71 dock5) (at pallet72 dock1)
    (at pallet73 dock4) (at pallet74 dock4) (at pallet75 dock8) (at pallet76 dock1)
    (at pallet77 dock2) (at pallet78 dock2) (at pallet79 dock3) (at pallet80 dock6)
    (at pallet81 dock12) (at pallet82 dock10) (at pallet83 dock1) (at pallet84 dock5)
    (at pallet85 dock5) (at pallet86 dock11) (at pallet87 dock6) (at pallet88 dock11)
    (at pallet89 dock5) (at pallet90 dock10) (at pallet91 dock8) (at pallet92 dock2)
    (at pallet93 dock9) (at pallet94 dock3) (at pallet95 dock4) (at pallet96 dock9)
    (at pallet97 dock6) (at pallet98 dock7) (at pallet99 dock1) (at pallet100 dock1)
    (at pallet101 dock9) (at pallet102 dock9) (at pallet103 dock12) (at pallet104 dock4)
    (at pallet105 dock11) (at pallet106 dock8) (at pallet107 dock5) (at pallet108 dock5)
    (at pallet109 dock9) (at pallet110 dock2) (at pallet111 dock11) (at pallet112 dock6)
    (at pallet113 dock8) (at pallet114 dock12) (at pallet115 dock2) (at pallet116 dock9)
    (at pallet117 dock6) (at pallet118 dock1) (at pallet119 dock12) (at pallet120 dock10)
    (at pallet121 dock1) (at pallet122 dock10) (at pallet123 dock8) (at pallet124 dock9)
    (at pallet125 dock12) (at pallet126 dock11) (at pallet127 dock12) (at pallet128 dock11)
    (at pallet129 dock5) (at pallet130 dock6) (at pallet131 dock8) (at pallet132 dock10)
    (at pallet133 dock2) (at pallet134 dock9) (at pallet135 dock11) (at pallet136 dock7)
    (at pallet137 dock3) (at pallet138 dock6) (at pallet139 dock7) (at pallet140 dock12)
    (at pallet141 dock11) (at pallet142 dock9) (at pallet143 dock5) (at pallet144 dock8)
    (at pallet145 dock11) (at pallet146 dock5) (at pallet147 dock6) (at pallet148 dock4)
    (at pallet149 dock4) (at pallet150 dock11) (at pallet151 dock7) (at pallet152 dock8)
    (at pallet153 dock7) (at pallet154 dock2) (at pallet155 dock3) (at pallet156 dock7)
    (at pallet157 dock5) (at pallet158 dock9) (at pallet159 dock2) (at pallet160 dock1))))
