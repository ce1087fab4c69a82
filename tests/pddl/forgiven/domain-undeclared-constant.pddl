(define (domain depot)
  (:requirements :strips :typing)
  (:types van car - vehicle vehicle place)
  (:predicates (at ?v - vehicle ?p - place) (parked ?v - van))
  (:action park
    :parameters (?v - van)
    :precondition (at ?v garage)
    :effect (and (parked ?v) (not (at boss-car garage)))))
