(define (problem test)
  (:domain depot)
  (:objects a - car p q - place
  (:init (open))
  (:init (at a p))
  (:goal (at a q)))
