; Floortile: robots paint the tiles above and below them. Nobody can step on a painted tile, so who
; paints must not shut himself in, nor paint off a tile that is still to be painted.
(define (domain floor-tile)
  (:requirements :strips :typing)

  (:types robot tile color)

  (:predicates
    (robot-at ?r - robot ?x - tile)
    (robot-has ?r - robot ?c - color)
    (up ?x ?y - tile)             ; x is the tile above y
    (down ?x ?y - tile)
    (right ?x ?y - tile)
    (left ?x ?y - tile)
    (clear ?x - tile)             ; not painted, and no robot on it
    (painted ?x - tile ?c - color)
    (available-color ?c - color))

  (:action change-color
    :parameters (?r - robot ?c ?new - color)
    :precondition (and (robot-has ?r ?c) (available-color ?new))
    :effect (and (robot-has ?r ?new) (not (robot-has ?r ?c))))

  (:action paint-up
    :parameters (?r - robot ?y ?x - tile ?c - color)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (painted ?y ?c) (not (clear ?y))))

  (:action paint-down
    :parameters (?r - robot ?y ?x - tile ?c - color)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) (down ?y ?x) (clear ?y))
    :effect (and (painted ?y ?c) (not (clear ?y))))

  (:action up
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action down
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (down ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action right
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (right ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action left
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (left ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y)))))
