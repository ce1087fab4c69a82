(define (domain x)
  (:predicates (not ?x)))
