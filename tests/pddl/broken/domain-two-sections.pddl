(define (domain x)
  (:predicates (p))
  (:predicates (q)))
