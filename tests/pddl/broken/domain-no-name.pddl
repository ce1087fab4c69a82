(define (domain)
  (:predicates (p)))
