; Gripper: a robot with grippers moves balls from room to room, one ball to a gripper.
; There are no types: "room", "ball" and "gripper" say what an object is.
(define (domain gripper-strips)
  (:requirements :strips)

  (:predicates
    (room ?r)
    (ball ?b)
    (gripper ?g)
    (at-robby ?r)         ; the robot is in this room
    (at ?b ?r)            ; the ball lies in this room
    (free ?g)             ; the gripper holds nothing
    (carry ?b ?g))        ; the gripper holds the ball

  (:action move
    :parameters (?from ?to)
    :precondition (and (room ?from) (room ?to) (at-robby ?from))
    :effect (and (not (at-robby ?from)) (at-robby ?to)))

  (:action pick
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (at ?b ?r) (at-robby ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))

  (:action drop
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (carry ?b ?g) (at-robby ?r))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
