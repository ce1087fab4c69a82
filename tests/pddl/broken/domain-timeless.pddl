(define (domain x)
  (:predicates (p ?a) (q ?a))
  (:constants home)
  (:timeless (p home)))
