(define (domain x)
  (:action wait
    :effect (increase (total-cost) 1)))
