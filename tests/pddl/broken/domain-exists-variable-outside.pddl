(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :precondition (and (exists (?b) (p ?b)) (q ?b))))
