(define (domain x)
  (:predicates (on ?x ?y) (clear ?x) (on ?x ?y))
  (:action put
    :parameters (?x ?y)
    :precondition (clear ?y)
    :effect (on ?x ?y)))
