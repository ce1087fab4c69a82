; Blocksworld: an arm moves blocks one by one, from and to the tops of towers and the table.
(define (domain blocksworld)
  (:requirements :strips)

  (:predicates
    (on ?above ?below)
    (on-table ?block)
    (clear ?block)        ; nothing stands on it, and it is not held
    (holding ?block)
    (arm-empty))

  (:action pickup
    :parameters (?block)
    :precondition (and (clear ?block) (on-table ?block) (arm-empty))
    :effect (and (holding ?block) (not (clear ?block)) (not (on-table ?block)) (not (arm-empty))))

  (:action putdown
    :parameters (?block)
    :precondition (and (holding ?block))
    :effect (and (clear ?block) (on-table ?block) (arm-empty) (not (holding ?block))))

  (:action stack
    :parameters (?block ?below)
    :precondition (and (holding ?block) (clear ?below))
    :effect (and (on ?block ?below) (clear ?block) (arm-empty)
                 (not (holding ?block)) (not (clear ?below))))

  (:action unstack
    :parameters (?block ?below)
    :precondition (and (on ?block ?below) (clear ?block) (arm-empty))
    :effect (and (holding ?block) (clear ?below)
                 (not (on ?block ?below)) (not (clear ?block)) (not (arm-empty)))))
