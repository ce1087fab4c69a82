; Pednault's briefcase, along roads: what is in the case moves with it.
(define (domain briefcase-roads)
  (:requirements :adl)
  (:types place item)
  (:predicates (road ?p ?q - place) (case-at ?p - place) (at ?i - item ?p - place) (in ?i - item))
  (:action move
    :parameters (?from ?to - place)
    :precondition (and (case-at ?from) (or (road ?from ?to) (road ?to ?from)))
    :effect (and (case-at ?to) (not (case-at ?from))
      (forall (?i - item) (when (in ?i) (and (at ?i ?to) (not (at ?i ?from)))))))
  (:action put-in
    :parameters (?i - item ?p - place)
    :precondition (and (case-at ?p) (at ?i ?p) (not (in ?i)))
    :effect (in ?i))
  (:action take-out
    :parameters (?i - item)
    :precondition (in ?i)
    :effect (not (in ?i))))
