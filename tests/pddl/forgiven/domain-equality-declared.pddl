(define (domain x)
  (:predicates (= ?a ?b) (p ?a))
  (:action go
    :parameters (?a ?b)
    :precondition (and (p ?a) (not (= ?a ?b)))
    :effect (p ?b)))
