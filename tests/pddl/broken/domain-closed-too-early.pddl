(define (domain x)
  (:predicates (p)))
  (:action a :effect (p)))
