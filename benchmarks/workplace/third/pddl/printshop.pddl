; A printing shop: plates, presses with one ink at a time, few drying racks,
; cutters that need sharpening, staplers that need wire.
(define (domain printshop)
  (:requirements :strips :typing :negative-preconditions)
  (:types job machine ink rack - object
          flyer booklet - job
          press cutter stapler - machine)
  (:constants black - ink)
  (:predicates
    (needs-ink ?j - job ?i - ink)
    (plate-made ?j - job)
    (plate-on ?j - job ?p - press)
    (loaded ?p - press)
    (inked ?p - press ?i - ink)
    (washed ?p - press)
    (printed ?j - job)
    (wet ?j - job)
    (on-rack ?j - job ?r - rack)
    (rack-free ?r - rack)
    (dry ?j - job)
    (sharp ?c - cutter)
    (trimmed ?j - job)
    (folded ?b - booklet)
    (has-wire ?s - stapler)
    (stapled ?b - booklet)
    (packed ?j - job))

  (:action expose-plate
    :parameters (?j - job)
    :precondition (and (not (plate-made ?j)) (not (printed ?j)))
    :effect (and (plate-made ?j)))

  (:action mount-plate
    :parameters (?j - job ?p - press)
    :precondition (and (plate-made ?j) (not (loaded ?p)) (not (printed ?j)))
    :effect (and (plate-on ?j ?p) (loaded ?p) (not (plate-made ?j))))

  (:action remove-plate
    :parameters (?j - job ?p - press)
    :precondition (and (plate-on ?j ?p))
    :effect (and (plate-made ?j) (not (plate-on ?j ?p)) (not (loaded ?p))))

  (:action ink-press
    :parameters (?p - press ?i - ink)
    :precondition (and (washed ?p) (not (loaded ?p)))
    :effect (and (inked ?p ?i) (not (washed ?p))))

  (:action wash-press
    :parameters (?p - press ?i - ink)
    :precondition (and (inked ?p ?i) (not (loaded ?p)))
    :effect (and (washed ?p) (not (inked ?p ?i))))

  (:action print-job
    :parameters (?j - job ?p - press ?i - ink)
    :precondition (and (plate-on ?j ?p) (inked ?p ?i) (needs-ink ?j ?i)
                       (not (printed ?j)))
    :effect (and (printed ?j) (wet ?j)))

  (:action hang-to-dry
    :parameters (?j - job ?r - rack)
    :precondition (and (wet ?j) (rack-free ?r))
    :effect (and (on-rack ?j ?r) (not (wet ?j)) (not (rack-free ?r))))

  (:action take-from-rack
    :parameters (?j - job ?r - rack)
    :precondition (and (on-rack ?j ?r))
    :effect (and (dry ?j) (rack-free ?r) (not (on-rack ?j ?r))))

  (:action sharpen
    :parameters (?c - cutter)
    :precondition (and (not (sharp ?c)))
    :effect (and (sharp ?c)))

  (:action trim
    :parameters (?j - job ?c - cutter)
    :precondition (and (dry ?j) (not (trimmed ?j)) (sharp ?c))
    :effect (and (trimmed ?j) (not (sharp ?c))))

  (:action fold
    :parameters (?b - booklet)
    :precondition (and (trimmed ?b) (not (folded ?b)))
    :effect (and (folded ?b)))

  (:action load-wire
    :parameters (?s - stapler)
    :precondition (and (not (has-wire ?s)))
    :effect (and (has-wire ?s)))

  (:action staple
    :parameters (?b - booklet ?s - stapler)
    :precondition (and (folded ?b) (has-wire ?s) (not (stapled ?b)))
    :effect (and (stapled ?b) (not (has-wire ?s))))

  (:action pack-flyer
    :parameters (?j - flyer)
    :precondition (and (trimmed ?j))
    :effect (and (packed ?j)))

  (:action pack-booklet
    :parameters (?b - booklet)
    :precondition (and (stapled ?b))
    :effect (and (packed ?b)))
)
