(define (domain depot)
  (:types car place)
  (:predicates (at ?c - car ?p - place))
  (:action drive
    :parameters (?c - car)
    :precondition (at ?c garage)
    :effect (at garage garage)))
