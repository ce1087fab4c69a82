(define (domain x)
  :strips
  (:predicates (p)))
