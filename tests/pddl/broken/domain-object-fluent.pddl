(define (domain x)
  (:types car)
  (:functions (owner ?c - car) - car))
