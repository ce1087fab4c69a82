(define (problem test)
  (:init)
  (:goal (open)))
