(define (domain x)
  (:predicates (p)))
)
