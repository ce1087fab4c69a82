(define (domain depot)
  (:types car place)
  (:constants base - place)
  (:predicates (at ?c - car ?p - place) (open))
  (:functions (total-cost) (fuel ?c - car) - number)
  (:action drive
    :parameters (?c - car ?p ?q - place)
    :effect (and (at ?c ?q) (increase (total-cost) 1.5))))
