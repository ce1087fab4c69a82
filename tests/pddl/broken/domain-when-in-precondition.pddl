(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :precondition (when (p ?a) (q ?a))))
