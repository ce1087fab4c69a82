(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :effect (or (p ?a) (q ?a))))
