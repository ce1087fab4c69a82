(define (domain x)
  (:predicates (p) (q)
  (:action a
    :precondition (p)
    :effect (q))))
