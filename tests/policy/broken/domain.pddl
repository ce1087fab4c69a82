; The domain for which the policies in this folder are written, badly.
(define (domain ferry)
  (:types vehicle location - object car truck - vehicle)
  (:constants harbour - location)
  (:predicates (at ?v - vehicle ?l - location) (at-ferry ?l - location) (on ?v - vehicle) (washed ?c - car)
               (empty-ferry))
  (:action sail
    :parameters (?from ?to - location)
    :precondition (at-ferry ?from)
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))
  (:action board
    :parameters (?v - vehicle ?l - location)
    :precondition (and (at ?v ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?v) (not (at ?v ?l)) (not (empty-ferry))))
  (:action debark
    :parameters (?v - vehicle ?l - location)
    :precondition (and (on ?v) (at-ferry ?l))
    :effect (and (at ?v ?l) (empty-ferry) (not (on ?v))))
  (:action wash
    :parameters (?c - car)
    :precondition ()
    :effect (washed ?c)))
