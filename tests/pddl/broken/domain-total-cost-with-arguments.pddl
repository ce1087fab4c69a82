(define (domain x)
  (:functions (total-cost ?x) - number))
