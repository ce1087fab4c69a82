(define (domain x)
  (:types
    car van - object
    car))
