(define (domain x)
  (:predicates (p))
  (:action go
    :precondition
      (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (or (p)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
