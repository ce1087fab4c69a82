(define (domain depot)
  (:types car place)
  (:constants base - place)
  (:predicates (at ?c - car ?p - place) (open) (closed) (near ?p ?q - place) (linked ?p ?q - place))
  (:derived (closed) (not (open)))
  (:action shut
    :parameters ()
    :effect (and (closed) (not (open)))))
