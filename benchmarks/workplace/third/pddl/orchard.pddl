; Irrigation of an orchard: a tree of pipes with valves below a reservoir,
; locked gates on the paths, keys and movable sprinklers carried one at a time.
(define (domain orchard)
  (:requirements :strips :typing :negative-preconditions)
  (:types place worker item gate pump - object
          yard node - place
          source junction plot - node
          drip-plot spray-plot - plot
          key sprinkler - item)
  (:constants hut - yard reservoir - source)
  (:predicates
    (path ?a ?b - place)
    (gate-between ?g - gate ?a ?b - place)
    (locked ?g - gate)
    (opens ?k - key ?g - gate)
    (at ?w - worker ?p - place)
    (lies ?i - item ?p - place)
    (carries ?w - worker ?i - item)
    (hand-free ?w - worker)
    (filter-dirty ?m - pump)
    (stopped ?m - pump)
    (pipe ?a ?b - node)
    (valve-open ?n - node)
    (wet ?n - node)
    (mounted ?s - sprinkler ?b - spray-plot)
    (irrigated ?b - plot))

  (:action walk
    :parameters (?w - worker ?a ?b - place)
    :precondition (and (at ?w ?a) (path ?a ?b))
    :effect (and (at ?w ?b) (not (at ?w ?a))))

  (:action pass-gate
    :parameters (?w - worker ?g - gate ?a ?b - place)
    :precondition (and (at ?w ?a) (gate-between ?g ?a ?b) (not (locked ?g)))
    :effect (and (at ?w ?b) (not (at ?w ?a))))

  (:action unlock
    :parameters (?w - worker ?k - key ?g - gate ?a ?b - place)
    :precondition (and (at ?w ?a) (gate-between ?g ?a ?b) (locked ?g)
                       (carries ?w ?k) (opens ?k ?g))
    :effect (and (not (locked ?g))))

  (:action pick-up
    :parameters (?w - worker ?i - item ?p - place)
    :precondition (and (at ?w ?p) (lies ?i ?p) (hand-free ?w))
    :effect (and (carries ?w ?i) (not (lies ?i ?p)) (not (hand-free ?w))))

  (:action put-down
    :parameters (?w - worker ?i - item ?p - place)
    :precondition (and (at ?w ?p) (carries ?w ?i))
    :effect (and (lies ?i ?p) (hand-free ?w) (not (carries ?w ?i))))

  (:action clean-filter
    :parameters (?w - worker ?m - pump)
    :precondition (and (at ?w reservoir) (filter-dirty ?m) (stopped ?m))
    :effect (and (not (filter-dirty ?m))))

  (:action start-pump
    :parameters (?w - worker ?m - pump)
    :precondition (and (at ?w reservoir) (stopped ?m) (not (filter-dirty ?m)))
    :effect (and (wet reservoir) (not (stopped ?m))))

  (:action stop-pump
    :parameters (?w - worker ?m - pump)
    :precondition (and (at ?w reservoir) (not (stopped ?m)))
    :effect (and (stopped ?m) (not (wet reservoir))))

  (:action open-valve
    :parameters (?w - worker ?n - node)
    :precondition (and (at ?w ?n) (not (valve-open ?n)))
    :effect (and (valve-open ?n)))

  (:action let-flow
    :parameters (?a ?b - node)
    :precondition (and (pipe ?a ?b) (wet ?a) (valve-open ?b) (not (wet ?b)))
    :effect (and (wet ?b)))

  (:action mount-sprinkler
    :parameters (?w - worker ?s - sprinkler ?b - spray-plot)
    :precondition (and (at ?w ?b) (carries ?w ?s))
    :effect (and (mounted ?s ?b) (hand-free ?w) (not (carries ?w ?s))))

  (:action unmount-sprinkler
    :parameters (?w - worker ?s - sprinkler ?b - spray-plot)
    :precondition (and (at ?w ?b) (mounted ?s ?b) (hand-free ?w))
    :effect (and (carries ?w ?s) (not (hand-free ?w)) (not (mounted ?s ?b))))

  (:action drip
    :parameters (?b - drip-plot)
    :precondition (and (wet ?b))
    :effect (and (irrigated ?b)))

  (:action spray
    :parameters (?b - spray-plot ?s - sprinkler)
    :precondition (and (wet ?b) (mounted ?s ?b))
    :effect (and (irrigated ?b)))
)
