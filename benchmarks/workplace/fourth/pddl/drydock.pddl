; A shipyard with dry docks: a ship is towed onto blocks that suit its hull, the dock is drained, the
; hull is blasted and painted from a scaffold and surveyed, and the ship leaves a swept dock.
(define (domain drydock)
  (:requirements :strips :typing :negative-preconditions)
  (:types ship dock hull scaffold - object)
  (:predicates
    (built-as ?s - ship ?h - hull)
    (docking-plan ?h - hull)
    (afloat ?s - ship)
    (in-dock ?s - ship ?d - dock)
    (occupied ?d - dock)
    (flooded ?d - dock)
    (gate-open ?d - dock)
    (bare ?d - dock)
    (blocks-for ?d - dock ?h - hull)
    (in-store ?f - scaffold)
    (rigged ?f - scaffold ?d - dock)
    (scaffolded ?d - dock)
    (littered ?d - dock)
    (blasted ?s - ship)
    (painted ?s - ship)
    (surveyed ?s - ship))

  (:action clear-blocks
    :parameters (?d - dock ?h - hull)
    :precondition (and (blocks-for ?d ?h) (not (occupied ?d)) (not (flooded ?d)))
    :effect (and (bare ?d) (not (blocks-for ?d ?h))))

  (:action set-blocks
    :parameters (?d - dock ?h - hull)
    :precondition (and (bare ?d) (docking-plan ?h) (not (flooded ?d)) (not (littered ?d)))
    :effect (and (blocks-for ?d ?h) (not (bare ?d))))

  (:action flood
    :parameters (?d - dock)
    :precondition (and (not (flooded ?d)) (not (scaffolded ?d)) (not (littered ?d)))
    :effect (flooded ?d))

  (:action drain
    :parameters (?d - dock)
    :precondition (and (flooded ?d) (not (gate-open ?d)))
    :effect (not (flooded ?d)))

  (:action open-gate
    :parameters (?d - dock)
    :precondition (and (flooded ?d) (not (gate-open ?d)))
    :effect (gate-open ?d))

  (:action close-gate
    :parameters (?d - dock)
    :precondition (gate-open ?d)
    :effect (not (gate-open ?d)))

  (:action tow-in
    :parameters (?s - ship ?d - dock ?h - hull)
    :precondition (and (afloat ?s) (built-as ?s ?h) (blocks-for ?d ?h) (gate-open ?d)
                       (not (occupied ?d)))
    :effect (and (in-dock ?s ?d) (occupied ?d) (not (afloat ?s))))

  (:action tow-out
    :parameters (?s - ship ?d - dock)
    :precondition (and (in-dock ?s ?d) (surveyed ?s) (gate-open ?d))
    :effect (and (afloat ?s) (not (in-dock ?s ?d)) (not (occupied ?d))))

  (:action rig
    :parameters (?f - scaffold ?d - dock)
    :precondition (and (in-store ?f) (occupied ?d) (not (flooded ?d)) (not (scaffolded ?d)))
    :effect (and (rigged ?f ?d) (scaffolded ?d) (not (in-store ?f))))

  (:action strike
    :parameters (?f - scaffold ?d - dock)
    :precondition (rigged ?f ?d)
    :effect (and (in-store ?f) (not (rigged ?f ?d)) (not (scaffolded ?d))))

  (:action blast
    :parameters (?s - ship ?d - dock)
    :precondition (and (in-dock ?s ?d) (scaffolded ?d) (not (blasted ?s)))
    :effect (and (blasted ?s) (littered ?d)))

  (:action sweep
    :parameters (?d - dock)
    :precondition (and (littered ?d) (not (flooded ?d)))
    :effect (not (littered ?d)))

  (:action paint
    :parameters (?s - ship ?d - dock)
    :precondition (and (in-dock ?s ?d) (scaffolded ?d) (blasted ?s) (not (littered ?d))
                       (not (painted ?s)))
    :effect (painted ?s))

  (:action survey
    :parameters (?s - ship ?d - dock)
    :precondition (and (in-dock ?s ?d) (painted ?s) (not (flooded ?d)) (not (scaffolded ?d)))
    :effect (surveyed ?s))
)
