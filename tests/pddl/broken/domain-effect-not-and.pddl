(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:action go
    :parameters (?a)
    :effect (not (and (p ?a) (q ?a)))))
