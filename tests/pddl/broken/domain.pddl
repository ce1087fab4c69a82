; The domain of the broken problems beside this file; there is nothing wrong with it.
(define (domain depot)
  (:types
    vehicle place - object
    car van - vehicle)
  (:constants base - place)
  (:predicates
    (at ?v - vehicle ?p - place)
    (parked ?c - car)
    (linked ?p ?q - place)
    (near ?p ?q - place)
    (open))
  (:functions
    (total-cost) - number
    (distance ?p ?q - place) - number)
  (:derived (near ?p ?q) (or (linked ?p ?q) (linked ?q ?p)))
  (:action drive
    :parameters (?v - vehicle ?p ?q - place)
    :precondition (and (at ?v ?p) (linked ?p ?q))
    :effect (and (at ?v ?q) (not (at ?v ?p)) (increase (total-cost) (distance ?p ?q)))))
