(define (domain air)
  (:predicates (aircraft ?a) (city ?c) (at ?a?c))
  (:action fly
    :parameters (?a ?c)
    :precondition (and (aircraft?a) (city ?c))
    :effect (at ?a?c)))
