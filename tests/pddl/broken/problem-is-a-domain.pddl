(define (domain depot)
  (:predicates (p)))
