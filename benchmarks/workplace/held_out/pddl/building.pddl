; A crane on rails builds houses storey by storey, from slabs and walls. Walls need a scaffold, of which there are few.
(define (domain building)
  (:requirements :strips :typing :negative-preconditions)
  (:types spot storey element scaffold - object
          plot - spot
          slab wall - element)
  (:constants yard - spot)
  (:predicates
    (rail ?a ?b - spot)
    (crane-at ?x - spot)
    (hook-free)
    (hangs ?e - element)
    (lies ?e - element ?x - spot)
    (part-of ?e - element ?s - storey)
    (ground ?s - storey ?p - plot)
    (over ?s ?t - storey)
    (top ?s - storey ?p - plot)
    (belongs ?s - storey ?p - plot)
    (dug ?p - plot)
    (laid ?s - storey)
    (set ?s - storey)
    (complete ?s - storey)
    (stored ?k - scaffold)
    (scaffold-at ?k - scaffold ?p - plot)
    (bare ?p - plot)
    (roofed ?p - plot)
    (approved ?p - plot))
  (:action travel
    :parameters (?a ?b - spot)
    :precondition (and (crane-at ?a) (rail ?a ?b))
    :effect (and (crane-at ?b) (not (crane-at ?a))))
  (:action hook
    :parameters (?e - element ?x - spot)
    :precondition (and (crane-at ?x) (lies ?e ?x) (hook-free))
    :effect (and (hangs ?e) (not (lies ?e ?x)) (not (hook-free))))
  (:action set-down
    :parameters (?e - element ?x - spot)
    :precondition (and (crane-at ?x) (hangs ?e))
    :effect (and (lies ?e ?x) (hook-free) (not (hangs ?e))))
  (:action dig
    :parameters (?p - plot)
    :precondition (not (dug ?p))
    :effect (dug ?p))
  (:action lay-ground-slab
    :parameters (?e - slab ?s - storey ?p - plot)
    :precondition (and (crane-at ?p) (hangs ?e) (part-of ?e ?s) (ground ?s ?p) (dug ?p))
    :effect (and (laid ?s) (hook-free) (not (hangs ?e))))
  (:action lay-slab
    :parameters (?e - slab ?s ?t - storey ?p - plot)
    :precondition (and (crane-at ?p) (hangs ?e) (part-of ?e ?s) (belongs ?s ?p) (over ?s ?t) (complete ?t))
    :effect (and (laid ?s) (hook-free) (not (hangs ?e))))
  (:action pour-joints
    :parameters (?s - storey)
    :precondition (and (laid ?s) (not (set ?s)))
    :effect (set ?s))
  (:action put-up-scaffold
    :parameters (?k - scaffold ?p - plot)
    :precondition (and (stored ?k) (bare ?p) (dug ?p))
    :effect (and (scaffold-at ?k ?p) (not (stored ?k)) (not (bare ?p))))
  (:action take-down-scaffold
    :parameters (?k - scaffold ?p - plot)
    :precondition (scaffold-at ?k ?p)
    :effect (and (stored ?k) (bare ?p) (not (scaffold-at ?k ?p))))
  (:action raise-wall
    :parameters (?e - wall ?s - storey ?k - scaffold ?p - plot)
    :precondition (and (crane-at ?p) (hangs ?e) (part-of ?e ?s) (belongs ?s ?p) (set ?s) (scaffold-at ?k ?p))
    :effect (and (complete ?s) (hook-free) (not (hangs ?e))))
  (:action roof
    :parameters (?s - storey ?k - scaffold ?p - plot)
    :precondition (and (crane-at ?p) (hook-free) (top ?s ?p) (complete ?s) (scaffold-at ?k ?p))
    :effect (roofed ?p))
  (:action approve
    :parameters (?p - plot)
    :precondition (and (roofed ?p) (bare ?p))
    :effect (approved ?p)))
