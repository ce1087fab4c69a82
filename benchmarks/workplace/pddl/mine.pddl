; Ore is brought to the surface through a gallery whose chambers are blocked by rock: drill, blast with a charge, prop up.
(define (domain mine)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types chamber ore crew - object)
  (:constants surface - chamber)
  (:predicates
    (next ?a ?b - chamber)
    (at ?c - crew ?x - chamber)
    (open ?x - chamber)
    (drilled ?x - chamber)
    (blasted ?x - chamber)
    (ore-at ?o - ore ?x - chamber)
    (carries ?c - crew ?o - ore)
    (carries-charge ?c - crew)
    (hands-free ?c - crew)
    (raised ?o - ore))
  (:action go
    :parameters (?c - crew ?a ?b - chamber)
    :precondition (and (at ?c ?a) (next ?a ?b) (open ?b))
    :effect (and (at ?c ?b) (not (at ?c ?a))))
  (:action return
    :parameters (?c - crew ?a ?b - chamber)
    :precondition (and (at ?c ?b) (next ?a ?b))
    :effect (and (at ?c ?a) (not (at ?c ?b))))
  (:action drill
    :parameters (?c - crew ?a ?b - chamber)
    :precondition (and (at ?c ?a) (next ?a ?b) (not (open ?b)) (not (drilled ?b)) (not (blasted ?b)))
    :effect (drilled ?b))
  (:action take-charge
    :parameters (?c - crew)
    :precondition (and (at ?c surface) (hands-free ?c))
    :effect (and (carries-charge ?c) (not (hands-free ?c))))
  (:action blast
    :parameters (?c - crew ?a ?b - chamber)
    :precondition (and (at ?c ?a) (next ?a ?b) (drilled ?b) (carries-charge ?c))
    :effect (and (blasted ?b) (hands-free ?c) (not (drilled ?b)) (not (carries-charge ?c))))
  (:action prop-up
    :parameters (?c - crew ?a ?b - chamber)
    :precondition (and (at ?c ?a) (next ?a ?b) (blasted ?b) (hands-free ?c))
    :effect (and (open ?b) (not (blasted ?b))))
  (:action take-ore
    :parameters (?c - crew ?o - ore ?x - chamber)
    :precondition (and (at ?c ?x) (ore-at ?o ?x) (hands-free ?c))
    :effect (and (carries ?c ?o) (not (ore-at ?o ?x)) (not (hands-free ?c))))
  (:action tip
    :parameters (?c - crew ?o - ore)
    :precondition (and (at ?c surface) (carries ?c ?o))
    :effect (and (raised ?o) (hands-free ?c) (not (carries ?c ?o)))))
