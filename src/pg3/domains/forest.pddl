; Forest: a hiker walks from place to place in a grid. Rocks must be climbed; who steps into water
; never gets out again. A trail is marked, but the hiker may leave it.
(define (domain hiking)
  (:requirements :strips :typing :negative-preconditions)

  (:types loc)

  (:predicates
    (at ?loc - loc)
    (isWater ?loc - loc)
    (isHill ?loc - loc)                    ; a rock
    (adjacent ?loc1 - loc ?loc2 - loc)
    (onTrail ?from - loc ?to - loc))       ; a step of the trail

  (:action walk
    :parameters (?from - loc ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (not (isWater ?from)) (not (isHill ?to)))
    :effect (and (at ?to) (not (at ?from))))

  (:action climb
    :parameters (?from - loc ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (not (isWater ?from)) (isHill ?to))
    :effect (and (at ?to) (not (at ?from)))))
