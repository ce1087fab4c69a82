(define (problem test)
  (:domain depot)
  (:objects a b - car
    p a - place)
  (:init (at a p))
  (:goal (at a q)))
