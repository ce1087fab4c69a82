(define (domain x)
  (:types car object - thing thing))
