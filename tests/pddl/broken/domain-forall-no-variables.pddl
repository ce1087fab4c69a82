(define (domain x)
  (:predicates (p ?a))
  (:action go
    :parameters (?a)
    :effect (forall (p ?a))))
