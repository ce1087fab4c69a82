(define (domain x)
  (:predicates (p ?a))
  (:action go
    :parameters (?a)
    :precondition (and (p ?a) (or))
    :effect (p ?a)))
