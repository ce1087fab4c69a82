; Loading a freight train: one gantry crane over a row of bays with tools to be
; changed at the rack; boxes in stacks, trailers on the ground; wagons to be
; braked, prepared, loaded, locked and released.
(define (domain railload)
  (:requirements :strips :typing :negative-preconditions)
  (:types bay unit wagon tool crane - object
          box trailer - unit
          flat-wagon pocket-wagon - wagon
          spreader grapple - tool)
  (:predicates
    (next-to ?a ?b - bay)
    (rack-at ?b - bay)
    (crane-at ?c - crane ?b - bay)
    (bare ?c - crane)
    (fitted ?t - tool ?c - crane)
    (hook-free ?c - crane)
    (hangs ?u - unit ?c - crane)
    (tool-at ?t - tool ?b - bay)
    (stored ?u - unit ?b - bay)
    (on-ground ?u - unit)
    (on ?u - box ?v - box)
    (top ?u - unit)
    (wagon-at ?w - wagon ?b - bay)
    (booked ?u - unit ?w - wagon)
    (braked ?w - wagon)
    (released ?w - wagon)
    (pins-up ?w - flat-wagon)
    (hitch-down ?w - pocket-wagon)
    (loaded ?u - unit ?w - wagon)
    (locked ?u - unit))

  (:action travel
    :parameters (?c - crane ?a ?b - bay)
    :precondition (and (crane-at ?c ?a) (next-to ?a ?b))
    :effect (and (crane-at ?c ?b) (not (crane-at ?c ?a))))

  (:action fit-tool
    :parameters (?c - crane ?t - tool ?b - bay)
    :precondition (and (crane-at ?c ?b) (tool-at ?t ?b) (bare ?c))
    :effect (and (fitted ?t ?c) (not (bare ?c)) (not (tool-at ?t ?b))))

  (:action return-tool
    :parameters (?c - crane ?t - tool ?b - bay)
    :precondition (and (crane-at ?c ?b) (rack-at ?b) (fitted ?t ?c) (hook-free ?c))
    :effect (and (tool-at ?t ?b) (bare ?c) (not (fitted ?t ?c))))

  (:action set-brake
    :parameters (?w - wagon)
    :precondition (and (released ?w))
    :effect (and (braked ?w) (not (released ?w))))

  (:action release-brake
    :parameters (?w - wagon)
    :precondition (and (braked ?w))
    :effect (and (released ?w) (not (braked ?w))))

  (:action raise-pins
    :parameters (?w - flat-wagon)
    :precondition (and (braked ?w) (not (pins-up ?w)))
    :effect (and (pins-up ?w)))

  (:action lower-hitch
    :parameters (?w - pocket-wagon)
    :precondition (and (braked ?w) (not (hitch-down ?w)))
    :effect (and (hitch-down ?w)))

  (:action lift-box
    :parameters (?c - crane ?t - spreader ?u - box ?b - bay)
    :precondition (and (crane-at ?c ?b) (fitted ?t ?c) (hook-free ?c)
                       (stored ?u ?b) (on-ground ?u) (top ?u))
    :effect (and (hangs ?u ?c) (not (hook-free ?c)) (not (stored ?u ?b))
                 (not (on-ground ?u)) (not (top ?u))))

  (:action unstack-box
    :parameters (?c - crane ?t - spreader ?u ?v - box ?b - bay)
    :precondition (and (crane-at ?c ?b) (fitted ?t ?c) (hook-free ?c)
                       (stored ?u ?b) (on ?u ?v) (top ?u))
    :effect (and (hangs ?u ?c) (top ?v) (not (hook-free ?c)) (not (stored ?u ?b))
                 (not (on ?u ?v)) (not (top ?u))))

  (:action lift-trailer
    :parameters (?c - crane ?t - grapple ?u - trailer ?b - bay)
    :precondition (and (crane-at ?c ?b) (fitted ?t ?c) (hook-free ?c)
                       (stored ?u ?b) (on-ground ?u))
    :effect (and (hangs ?u ?c) (not (hook-free ?c)) (not (stored ?u ?b))
                 (not (on-ground ?u)) (not (top ?u))))

  (:action set-down
    :parameters (?c - crane ?u - unit ?b - bay)
    :precondition (and (crane-at ?c ?b) (hangs ?u ?c))
    :effect (and (stored ?u ?b) (on-ground ?u) (top ?u) (hook-free ?c)
                 (not (hangs ?u ?c))))

  (:action load-box
    :parameters (?c - crane ?u - box ?w - flat-wagon ?b - bay)
    :precondition (and (crane-at ?c ?b) (hangs ?u ?c) (wagon-at ?w ?b)
                       (booked ?u ?w) (braked ?w) (pins-up ?w))
    :effect (and (loaded ?u ?w) (hook-free ?c) (not (hangs ?u ?c))))

  (:action load-trailer
    :parameters (?c - crane ?u - trailer ?w - pocket-wagon ?b - bay)
    :precondition (and (crane-at ?c ?b) (hangs ?u ?c) (wagon-at ?w ?b)
                       (booked ?u ?w) (braked ?w) (hitch-down ?w))
    :effect (and (loaded ?u ?w) (hook-free ?c) (not (hangs ?u ?c))))

  (:action lock-down
    :parameters (?u - unit ?w - wagon)
    :precondition (and (loaded ?u ?w) (braked ?w) (not (locked ?u)))
    :effect (and (locked ?u)))
)
