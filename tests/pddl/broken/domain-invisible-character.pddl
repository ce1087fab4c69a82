(define (domain x)
  (:predicates (at ?c ?l)))
