(define (domain x)
  (:predicates (at ?x ?x)))
