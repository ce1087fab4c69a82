(define (domain x)
  (:predicates (p))
  (:durative-action wait
    :duration (= ?duration 5)))
