; A ferry carries cars between locations, one car at a time.
; The names are those of the Ferry problems of the PG3 paper, so policies work for both.
(define (domain ferry)
  (:requirements :strips)

  (:predicates
    (car ?c)
    (location ?l)
    (not-eq ?x ?y)     ; two different locations
    (at-ferry ?l)      ; where the ferry is
    (at ?c ?l)         ; where a car is, unless it is on board
    (empty-ferry)
    (on ?c))           ; the car on board

  (:action sail
    :parameters (?from ?to)
    :precondition (and (location ?from) (location ?to) (not-eq ?from ?to) (at-ferry ?from))
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))

  (:action board
    :parameters (?c ?l)
    :precondition (and (car ?c) (location ?l) (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))

  (:action debark
    :parameters (?c ?l)
    :precondition (and (car ?c) (location ?l) (on ?c) (at-ferry ?l))
    :effect (and (at ?c ?l) (empty-ferry) (not (on ?c)))))
