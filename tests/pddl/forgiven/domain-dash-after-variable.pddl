(define (domain x)
  (:requirements :strips :typing)
  (:types car)
  (:predicates (new ?x - car))
  (:action sell
    :parameters (?x- car)
    :precondition (new ?x)
    :effect (not (new ?x))))
