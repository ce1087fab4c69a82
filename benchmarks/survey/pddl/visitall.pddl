; One robot on a map of places wants to have been at some of them.
(define (domain visitall)
  (:requirements :typing)
  (:types place - object)
  (:predicates (connected ?from ?to - place) (at-robot ?at - place) (visited ?at - place))
  (:action move
    :parameters (?from ?to - place)
    :precondition (and (at-robot ?from) (connected ?from ?to))
    :effect (and (not (at-robot ?from)) (at-robot ?to) (visited ?to))))
