; Bread and cakes are baked, each at its own heat. An oven gets hotter step by step, and goes cold at once when it is shut down.
(define (domain bakery)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types dough heat oven tray - object
          bread cake - dough)
  (:constants cold - heat)
  (:predicates
    (hotter ?a ?b - heat)
    (bakes-at ?d - dough ?t - heat)
    (oven-at ?o - oven ?t - heat)
    (oven-empty ?o - oven)
    (mixer-clean)
    (kneaded ?d - dough)
    (light ?d - dough)
    (tray-empty ?y - tray)
    (on ?d - dough ?y - tray)
    (inside ?y - tray ?o - oven)
    (outside ?y - tray)
    (baked ?d - dough)
    (on-shelf ?d - dough)
    (iced ?d - cake))
  (:functions (total-cost) - number)
  (:action wash-mixer
    :parameters ()
    :precondition (not (mixer-clean))
    :effect (and (mixer-clean) (increase (total-cost) 1)))
  (:action knead
    :parameters (?d - dough)
    :precondition (and (mixer-clean) (not (kneaded ?d)))
    :effect (and (kneaded ?d) (not (mixer-clean)) (increase (total-cost) 2)))
  (:action let-rise
    :parameters (?d - bread)
    :precondition (kneaded ?d)
    :effect (and (light ?d) (increase (total-cost) 3)))
  (:action add-powder
    :parameters (?d - cake)
    :precondition (kneaded ?d)
    :effect (and (light ?d) (increase (total-cost) 1)))
  (:action lay
    :parameters (?d - dough ?y - tray)
    :precondition (and (light ?d) (tray-empty ?y) (not (baked ?d)))
    :effect (and (on ?d ?y) (not (light ?d)) (not (tray-empty ?y)) (increase (total-cost) 1)))
  (:action heat-up
    :parameters (?o - oven ?a ?b - heat)
    :precondition (and (oven-at ?o ?a) (hotter ?a ?b))
    :effect (and (oven-at ?o ?b) (not (oven-at ?o ?a)) (increase (total-cost) 3)))
  (:action shut-down
    :parameters (?o - oven ?a - heat)
    :precondition (and (oven-at ?o ?a) (not (= ?a cold)))
    :effect (and (oven-at ?o cold) (not (oven-at ?o ?a)) (increase (total-cost) 1)))
  (:action slide-in
    :parameters (?y - tray ?o - oven)
    :precondition (and (oven-empty ?o) (outside ?y) (not (tray-empty ?y)))
    :effect (and (inside ?y ?o) (not (outside ?y)) (not (oven-empty ?o)) (increase (total-cost) 1)))
  (:action bake
    :parameters (?d - dough ?y - tray ?o - oven ?t - heat)
    :precondition (and (on ?d ?y) (inside ?y ?o) (oven-at ?o ?t) (bakes-at ?d ?t) (not (baked ?d)))
    :effect (and (baked ?d) (increase (total-cost) 4)))
  (:action draw-out
    :parameters (?y - tray ?o - oven)
    :precondition (inside ?y ?o)
    :effect (and (oven-empty ?o) (outside ?y) (not (inside ?y ?o)) (increase (total-cost) 1)))
  (:action turn-out
    :parameters (?d - dough ?y - tray)
    :precondition (and (on ?d ?y) (baked ?d) (outside ?y))
    :effect (and (on-shelf ?d) (tray-empty ?y) (not (on ?d ?y)) (increase (total-cost) 1)))
  (:action ice
    :parameters (?d - cake)
    :precondition (on-shelf ?d)
    :effect (and (iced ?d) (increase (total-cost) 1))))
