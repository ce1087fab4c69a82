(define (problem test)
  (:domain depot)
  (:goal (open)))
