(define (domain x)
  ; by André
  (:predicates (p)))
