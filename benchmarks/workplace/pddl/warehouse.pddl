; Orders are picked from shelves into boxes, sealed and labelled at the packing desk, and loaded at a dock.
(define (domain warehouse)
  (:requirements :strips :typing :negative-preconditions)
  (:types place item box picker - object
          aisle dock - place)
  (:constants desk - place)
  (:predicates
    (at ?p - picker ?x - place)
    (free ?p - picker)
    (stored ?i - item ?a - aisle)
    (ordered ?i - item ?b - box)
    (box-at ?b - box ?x - place)
    (holds ?p - picker ?b - box)
    (packed ?i - item ?b - box)
    (sealed ?b - box)
    (labelled ?b - box)
    (bound-for ?b - box ?d - dock)
    (loaded ?b - box))
  (:action move
    :parameters (?p - picker ?from ?to - place)
    :precondition (and (at ?p ?from) (not (= ?from ?to)))
    :effect (and (at ?p ?to) (not (at ?p ?from))))
  (:action take-box
    :parameters (?p - picker ?b - box ?x - place)
    :precondition (and (at ?p ?x) (box-at ?b ?x) (free ?p))
    :effect (and (holds ?p ?b) (not (box-at ?b ?x)) (not (free ?p))))
  (:action put-box
    :parameters (?p - picker ?b - box ?x - place)
    :precondition (and (at ?p ?x) (holds ?p ?b))
    :effect (and (box-at ?b ?x) (free ?p) (not (holds ?p ?b))))
  (:action pick
    :parameters (?p - picker ?i - item ?b - box ?a - aisle)
    :precondition (and (at ?p ?a) (stored ?i ?a) (holds ?p ?b) (ordered ?i ?b) (not (sealed ?b)))
    :effect (and (packed ?i ?b) (not (stored ?i ?a))))
  (:action seal
    :parameters (?p - picker ?b - box)
    :precondition (and (at ?p desk) (box-at ?b desk) (free ?p) (not (sealed ?b)))
    :effect (sealed ?b))
  (:action label
    :parameters (?p - picker ?b - box)
    :precondition (and (at ?p desk) (box-at ?b desk) (free ?p) (sealed ?b))
    :effect (labelled ?b))
  (:action load
    :parameters (?p - picker ?b - box ?d - dock)
    :precondition (and (at ?p ?d) (holds ?p ?b) (sealed ?b) (labelled ?b) (bound-for ?b ?d))
    :effect (and (loaded ?b) (free ?p) (not (holds ?p ?b)))))
