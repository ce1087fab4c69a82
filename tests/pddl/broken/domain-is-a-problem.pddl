(define (problem x)
  (:domain y))
