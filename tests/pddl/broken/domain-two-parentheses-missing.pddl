(define (domain x)
  (:predicates (p) (q))
  (:action a
    :precondition (and (p) (q)
