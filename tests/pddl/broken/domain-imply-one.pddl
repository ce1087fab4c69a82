(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :precondition (imply (p ?a))
    :effect (q ?a)))
