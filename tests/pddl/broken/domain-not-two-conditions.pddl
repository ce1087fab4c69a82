(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :precondition (not (or (p ?a) (q ?a)) (p ?a))
    :effect (q ?a)))
