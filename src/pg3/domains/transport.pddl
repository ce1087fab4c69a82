; Transport: vehicles bring packages to their locations, as many at a time as they have room for.
; Every vehicle can drive from everywhere to everywhere; the roads are not asked for.
(define (domain transport)
  (:requirements :strips :typing)

  (:types
    size location locatable - object
    vehicle package - locatable)

  (:predicates
    (road ?l1 ?l2 - location)
    (at ?x - locatable ?l - location)
    (in ?p - package ?v - vehicle)
    (capacity ?v - vehicle ?s - size)               ; the room that is left
    (capacity-predecessor ?s1 ?s2 - size))          ; s2 is room for one package more than s1

  (:action drive
    :parameters (?v - vehicle ?from ?to - location)
    :precondition (and (at ?v ?from))
    :effect (and (at ?v ?to) (not (at ?v ?from))))

  (:action pick-up
    :parameters (?v - vehicle ?l - location ?p - package ?less ?more - size)
    :precondition (and (at ?v ?l) (at ?p ?l) (capacity-predecessor ?less ?more) (capacity ?v ?more))
    :effect (and (in ?p ?v) (capacity ?v ?less) (not (at ?p ?l)) (not (capacity ?v ?more))))

  (:action drop
    :parameters (?v - vehicle ?l - location ?p - package ?less ?more - size)
    :precondition (and (at ?v ?l) (in ?p ?v) (capacity-predecessor ?less ?more) (capacity ?v ?less))
    :effect (and (at ?p ?l) (capacity ?v ?more) (not (in ?p ?v)) (not (capacity ?v ?less)))))
