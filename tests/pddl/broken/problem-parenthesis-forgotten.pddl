(define (problem test)
  (:domain depot)
  (:objects a - car
  (:init (parked a))
  (:goal (open)))
