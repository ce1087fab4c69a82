(define (domain x)
  (:types
    car - vehicle
    vehicle - thing
    thing - car))
