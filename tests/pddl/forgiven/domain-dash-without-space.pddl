(define (domain x)
  (:types car -vehicle vehicle))
