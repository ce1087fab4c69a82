(define (problem test)
  (:domain depot)
  (:init (open)))
