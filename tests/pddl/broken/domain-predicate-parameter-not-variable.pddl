(define (domain x)
  (:types car)
  (:predicates (at c - car)))
