(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:functions (total-cost) - number)
  (:action go
    :parameters (?a)
    :effect (and (q ?a) (when (p ?a) (increase (total-cost) 2)))))
