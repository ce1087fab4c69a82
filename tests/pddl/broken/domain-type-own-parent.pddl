(define (domain x)
  (:types car - car))
