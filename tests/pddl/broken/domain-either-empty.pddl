(define (domain x)
  (:types car)
  (:predicates (p ?x - (either))))
