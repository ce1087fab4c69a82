(define (domain x)
  (:types car)
  (:constants a b - car a))
