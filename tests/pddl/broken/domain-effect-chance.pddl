(define (domain x)
  (:predicates (p ?a))
  (:action go
    :parameters (?a)
    :effect (oneof (p ?a) (not (p ?a)))))
