(define (domain x)
  (:predicates (p) (q))
  (:action a
    :precondition (and (p)
    :effect (q))
  (:action b
    :effect (p)))
