; Waste is sorted into skips, one for each material. A skip fills step by step and is emptied in the press; what is hazardous goes into a locked drum.
(define (domain recycling)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types waste material skip level - object
          common hazardous - waste)
  (:constants empty full - level)
  (:predicates
    (next ?a ?b - level)
    (made-of ?w - common ?m - material)
    (meant-for ?s - skip ?m - material)
    (filled ?s - skip ?l - level)
    (in-bay ?s - skip)
    (in-press ?s - skip)
    (press-free)
    (bale-waits)
    (on-floor ?w - waste)
    (held ?w - waste)
    (hands-free)
    (dirty ?w - common)
    (drum-locked)
    (sorted ?w - waste))
  (:functions (total-cost) - number)
  (:action pick-up
    :parameters (?w - waste)
    :precondition (and (on-floor ?w) (hands-free))
    :effect (and (held ?w) (not (on-floor ?w)) (not (hands-free)) (increase (total-cost) 1)))
  (:action put-down
    :parameters (?w - waste)
    :precondition (held ?w)
    :effect (and (on-floor ?w) (hands-free) (not (held ?w)) (increase (total-cost) 1)))
  (:action hose-down
    :parameters (?w - common)
    :precondition (and (held ?w) (dirty ?w))
    :effect (and (not (dirty ?w)) (increase (total-cost) 2)))
  (:action throw-in
    :parameters (?w - common ?m - material ?s - skip ?a ?b - level)
    :precondition (and (held ?w) (not (dirty ?w)) (made-of ?w ?m) (meant-for ?s ?m) (in-bay ?s) (filled ?s ?a) (next ?a ?b))
    :effect (and (sorted ?w) (hands-free) (filled ?s ?b) (not (held ?w)) (not (filled ?s ?a)) (increase (total-cost) 1)))
  (:action unlock-drum
    :parameters ()
    :precondition (and (drum-locked) (hands-free))
    :effect (and (not (drum-locked)) (increase (total-cost) 1)))
  (:action lock-drum
    :parameters ()
    :precondition (and (not (drum-locked)) (hands-free))
    :effect (and (drum-locked) (increase (total-cost) 1)))
  (:action drop-in-drum
    :parameters (?w - hazardous)
    :precondition (and (held ?w) (not (drum-locked)))
    :effect (and (sorted ?w) (hands-free) (not (held ?w)) (increase (total-cost) 1)))
  (:action haul-to-press
    :parameters (?s - skip)
    :precondition (and (in-bay ?s) (press-free) (hands-free))
    :effect (and (in-press ?s) (not (in-bay ?s)) (not (press-free)) (increase (total-cost) 3)))
  (:action press
    :parameters (?s - skip ?l - level)
    :precondition (and (in-press ?s) (filled ?s ?l) (not (= ?l empty)) (not (bale-waits)))
    :effect (and (filled ?s empty) (bale-waits) (not (filled ?s ?l)) (increase (total-cost) 5)))
  (:action haul-back
    :parameters (?s - skip)
    :precondition (and (in-press ?s) (hands-free))
    :effect (and (in-bay ?s) (press-free) (not (in-press ?s)) (increase (total-cost) 3)))
  (:action ship-bale
    :parameters ()
    :precondition (and (bale-waits) (hands-free))
    :effect (and (not (bale-waits)) (increase (total-cost) 2))))
