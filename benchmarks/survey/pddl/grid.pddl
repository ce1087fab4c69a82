; A robot moves over a grid, opens locked cells with a key of their shape, and carries one key.
(define (domain grid)
  (:requirements :strips)
  (:predicates
    (place ?p) (key ?k) (shape ?s) (conn ?x ?y) (key-shape ?k ?s) (lock-shape ?x ?s)
    (at ?k ?x) (at-robot ?x) (locked ?x) (open ?x) (holding ?k) (arm-empty))
  (:action unlock
    :parameters (?here ?there ?key ?shape)
    :precondition (and (place ?here) (place ?there) (key ?key) (shape ?shape)
                       (conn ?here ?there) (key-shape ?key ?shape) (lock-shape ?there ?shape)
                       (at-robot ?here) (locked ?there) (holding ?key))
    :effect (and (open ?there) (not (locked ?there))))
  (:action move
    :parameters (?here ?there)
    :precondition (and (place ?here) (place ?there) (at-robot ?here) (conn ?here ?there)
                       (open ?there))
    :effect (and (at-robot ?there) (not (at-robot ?here))))
  (:action pickup
    :parameters (?here ?key)
    :precondition (and (place ?here) (key ?key) (at-robot ?here) (at ?key ?here) (arm-empty))
    :effect (and (holding ?key) (not (at ?key ?here)) (not (arm-empty))))
  (:action pickup-and-loose
    :parameters (?here ?new ?old)
    :precondition (and (place ?here) (key ?new) (key ?old) (at-robot ?here) (holding ?old)
                       (at ?new ?here))
    :effect (and (holding ?new) (at ?old ?here) (not (holding ?old)) (not (at ?new ?here))))
  (:action putdown
    :parameters (?here ?key)
    :precondition (and (place ?here) (key ?key) (at-robot ?here) (holding ?key))
    :effect (and (arm-empty) (at ?key ?here) (not (holding ?key)))))
