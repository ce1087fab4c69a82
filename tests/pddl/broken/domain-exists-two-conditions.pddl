(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :precondition (exists (?b) (p ?b) (q ?b))))
