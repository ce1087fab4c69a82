(define (domain x)
  (:predicates
    (at ?x)
    (at ?x ?y)))
