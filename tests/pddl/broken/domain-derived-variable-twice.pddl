(define (domain depot)
  (:types car place)
  (:constants base - place)
  (:predicates (at ?c - car ?p - place) (open) (closed) (near ?p ?q - place) (linked ?p ?q - place))
  (:action drive
    :parameters (?c - car ?p ?q - place)
    :effect (at ?c ?q))
  (:derived (near ?p ?p) (linked ?p base)))
