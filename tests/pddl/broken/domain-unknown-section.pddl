(define (domain x)
  (:predicats (p)))
