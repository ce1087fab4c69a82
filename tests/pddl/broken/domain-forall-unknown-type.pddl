(define (domain x)
  (:types car place)
  (:predicates (at ?c - car ?p - place))
  (:action go
    :parameters (?p - place)
    :precondition (forall (?c - cat) (not (at ?c ?p)))))
