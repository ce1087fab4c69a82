(define (domain x)
  (:constants ?a))
