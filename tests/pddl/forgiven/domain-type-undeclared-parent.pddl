(define (domain x)
  (:types car van - vehicle))
