; Winter road service: heavy ploughs clear main roads, light ploughs side roads,
; fallen trees are cut first, gritters salt main roads, buses follow.
; Blades are shared, ploughs refuel after every road, gritters reload salt.
(define (domain winterroads)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types junction road vehicle blade - object
          main-road side-road - road
          plough gritter saw-van bus - vehicle
          heavy-plough light-plough - plough)
  (:constants depot - junction)
  (:predicates
    (ends ?r - road ?a ?b - junction)
    (fuel-station ?j - junction)
    (at ?v - vehicle ?j - junction)
    (tree-across ?r - road)
    (cleared ?r - road)
    (salted ?r - main-road)
    (salt-loaded ?g - gritter)
    (fuelled ?p - plough)
    (blade-stored ?b - blade)
    (blade-on ?b - blade ?p - plough)
    (has-blade ?p - plough))
  (:functions (total-cost) - number)

  (:action attach-blade
    :parameters (?p - plough ?b - blade)
    :precondition (and (at ?p depot) (blade-stored ?b) (not (has-blade ?p)))
    :effect (and (blade-on ?b ?p) (has-blade ?p) (not (blade-stored ?b))
                 (increase (total-cost) 2)))

  (:action detach-blade
    :parameters (?p - plough ?b - blade)
    :precondition (and (at ?p depot) (blade-on ?b ?p))
    :effect (and (blade-stored ?b) (not (blade-on ?b ?p)) (not (has-blade ?p))
                 (increase (total-cost) 2)))

  (:action refuel
    :parameters (?p - plough ?j - junction)
    :precondition (and (at ?p ?j) (fuel-station ?j) (not (fuelled ?p)))
    :effect (and (fuelled ?p) (increase (total-cost) 2)))

  (:action drive
    :parameters (?v - vehicle ?r - road ?a ?b - junction)
    :precondition (and (at ?v ?a) (ends ?r ?a ?b) (cleared ?r))
    :effect (and (at ?v ?b) (not (at ?v ?a)) (increase (total-cost) 1)))

  (:action cut-tree
    :parameters (?s - saw-van ?r - road ?a ?b - junction)
    :precondition (and (at ?s ?a) (ends ?r ?a ?b) (tree-across ?r))
    :effect (and (not (tree-across ?r)) (increase (total-cost) 4)))

  (:action clear-main-road
    :parameters (?p - heavy-plough ?r - main-road ?a ?b - junction)
    :precondition (and (at ?p ?a) (ends ?r ?a ?b) (not (cleared ?r))
                       (not (tree-across ?r)) (has-blade ?p) (fuelled ?p))
    :effect (and (cleared ?r) (at ?p ?b) (not (at ?p ?a)) (not (fuelled ?p))
                 (increase (total-cost) 3)))

  (:action clear-side-road
    :parameters (?p - light-plough ?r - side-road ?a ?b - junction)
    :precondition (and (at ?p ?a) (ends ?r ?a ?b) (not (cleared ?r))
                       (not (tree-across ?r)) (has-blade ?p) (fuelled ?p))
    :effect (and (cleared ?r) (at ?p ?b) (not (at ?p ?a)) (not (fuelled ?p))
                 (increase (total-cost) 3)))

  (:action load-salt
    :parameters (?g - gritter)
    :precondition (and (at ?g depot) (not (salt-loaded ?g)))
    :effect (and (salt-loaded ?g) (increase (total-cost) 2)))

  (:action salt-road
    :parameters (?g - gritter ?r - main-road ?a ?b - junction)
    :precondition (and (at ?g ?a) (ends ?r ?a ?b) (cleared ?r) (salt-loaded ?g))
    :effect (and (salted ?r) (at ?g ?b) (not (at ?g ?a)) (not (salt-loaded ?g))
                 (increase (total-cost) 2)))
)
