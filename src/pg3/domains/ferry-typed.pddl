; Ferry with types. The ferry sails to where it is not, so nobody lists which locations differ.
(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions)

  (:types car location)

  (:predicates
    (at-ferry ?l - location)        ; the ferry is here
    (at ?c - car ?l - location)     ; the car is ashore, here
    (empty-ferry)                   ; no car is on board
    (on ?c - car))                  ; the car is on board

  (:action sail
    :parameters (?from ?to - location)
    :precondition (and (at-ferry ?from) (not (at-ferry ?to)))
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))

  (:action board
    :parameters (?c - car ?l - location)
    :precondition (and (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))

  (:action debark
    :parameters (?c - car ?l - location)
    :precondition (and (on ?c) (at-ferry ?l))
    :effect (and (at ?c ?l) (empty-ferry) (not (on ?c)))))
