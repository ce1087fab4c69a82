; Miconic: lifts bring passengers to their floors. A problem may have several buildings, each with a
; lift of its own; floors of different buildings are not above one another.
(define (domain miconic)
  (:requirements :strips :typing)

  (:types passenger floor)

  (:predicates
    (origin ?p - passenger ?f - floor)    ; where a passenger waits; stays true after boarding
    (destin ?p - passenger ?f - floor)    ; where a passenger wants to go
    (above ?low - floor ?high - floor)    ; the second floor is the higher one
    (lift-at ?f - floor)
    (boarded ?p - passenger)              ; in the lift
    (served ?p - passenger))              ; has left the lift at the destination

  (:action board
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (origin ?p ?f))
    :effect (boarded ?p))

  (:action depart
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (destin ?p ?f) (boarded ?p))
    :effect (and (served ?p) (not (boarded ?p))))

  (:action up
    :parameters (?from - floor ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))

  (:action down
    :parameters (?from - floor ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from)))))
