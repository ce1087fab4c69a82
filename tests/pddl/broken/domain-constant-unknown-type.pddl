(define (domain x)
  (:types vehicle)
  (:constants a - vehicles))
