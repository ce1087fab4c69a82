; Ferry: cars wait at locations; the ferry carries one of them at a time to its destination.
; There are no types: "car" and "location" say what an object is.
(define (domain ferry)
  (:requirements :strips)

  (:predicates
    (car ?c)
    (location ?l)
    (not-eq ?l1 ?l2)      ; two different locations
    (at-ferry ?l)         ; the ferry is here
    (empty-ferry)         ; no car is on board
    (at ?c ?l)            ; the car is ashore, here
    (on ?c))              ; the car is on board

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
