(define (domain x)
  (:predicates (p))
  (:constraints (always (p))))
