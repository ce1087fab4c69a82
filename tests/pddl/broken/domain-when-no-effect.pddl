(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :effect (when (p ?a))))
