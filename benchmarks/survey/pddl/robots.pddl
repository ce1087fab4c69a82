; Several robots, each with its own two grippers, carry balls between rooms.
(define (domain robots)
  (:requirements :typing)
  (:types room ball robot gripper - object)
  (:predicates (at-robot ?robot - robot ?room - room) (at ?ball - ball ?room - room)
    (free ?robot - robot ?gripper - gripper)
    (carry ?robot - robot ?ball - ball ?gripper - gripper))
  (:action move
    :parameters (?robot - robot ?from ?to - room)
    :precondition (at-robot ?robot ?from)
    :effect (and (at-robot ?robot ?to) (not (at-robot ?robot ?from))))
  (:action pick
    :parameters (?robot - robot ?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (at ?ball ?room) (at-robot ?robot ?room) (free ?robot ?gripper))
    :effect (and (carry ?robot ?ball ?gripper) (not (at ?ball ?room))
                 (not (free ?robot ?gripper))))
  (:action drop
    :parameters (?robot - robot ?ball - ball ?room - room ?gripper - gripper)
    :precondition (and (carry ?robot ?ball ?gripper) (at-robot ?robot ?room))
    :effect (and (at ?ball ?room) (free ?robot ?gripper) (not (carry ?robot ?ball ?gripper)))))
