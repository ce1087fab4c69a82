; Fire engines put out fires and bring people to hospital. Streets may be blocked by trees; a tank lasts for a few fires.
(define (domain fire)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types place engine house person level - object)
  (:constants station hospital - place
              empty full - level)
  (:predicates
    (street ?a ?b - place)
    (blocked ?a ?b - place)
    (at ?e - engine ?x - place)
    (hydrant ?x - place)
    (lower ?a ?b - level)
    (tank ?e - engine ?l - level)
    (hose-out ?e - engine)
    (stands ?h - house ?x - place)
    (blazing ?h - house)
    (burning ?h - house)
    (extinguished ?h - house)
    (trapped ?p - person ?h - house)
    (aboard ?p - person ?e - engine)
    (seat-free ?e - engine)
    (safe ?p - person))
  (:functions (total-cost) - number)
  (:action drive
    :parameters (?e - engine ?a ?b - place)
    :precondition (and (at ?e ?a) (street ?a ?b) (not (blocked ?a ?b)) (not (hose-out ?e)))
    :effect (and (at ?e ?b) (not (at ?e ?a)) (increase (total-cost) 2)))
  (:action saw
    :parameters (?e - engine ?a ?b - place)
    :precondition (and (at ?e ?a) (street ?a ?b) (blocked ?a ?b))
    :effect (and (not (blocked ?a ?b)) (not (blocked ?b ?a)) (increase (total-cost) 5)))
  (:action unroll-hose
    :parameters (?e - engine)
    :precondition (not (hose-out ?e))
    :effect (and (hose-out ?e) (increase (total-cost) 1)))
  (:action reel-in
    :parameters (?e - engine)
    :precondition (hose-out ?e)
    :effect (and (not (hose-out ?e)) (increase (total-cost) 1)))
  (:action refill
    :parameters (?e - engine ?x - place ?l - level)
    :precondition (and (at ?e ?x) (hydrant ?x) (hose-out ?e) (tank ?e ?l) (not (= ?l full)))
    :effect (and (tank ?e full) (not (tank ?e ?l)) (increase (total-cost) 3)))
  (:action dampen
    :parameters (?e - engine ?h - house ?x - place ?a ?b - level)
    :precondition (and (at ?e ?x) (stands ?h ?x) (hose-out ?e) (blazing ?h) (tank ?e ?a) (lower ?b ?a))
    :effect (and (burning ?h) (tank ?e ?b) (not (blazing ?h)) (not (tank ?e ?a)) (increase (total-cost) 2)))
  (:action quench
    :parameters (?e - engine ?h - house ?x - place ?a ?b - level)
    :precondition (and (at ?e ?x) (stands ?h ?x) (hose-out ?e) (burning ?h) (tank ?e ?a) (lower ?b ?a))
    :effect (and (extinguished ?h) (tank ?e ?b) (not (burning ?h)) (not (tank ?e ?a)) (increase (total-cost) 2)))
  (:action rescue
    :parameters (?e - engine ?p - person ?h - house ?x - place)
    :precondition (and (at ?e ?x) (stands ?h ?x) (trapped ?p ?h) (not (blazing ?h)) (seat-free ?e))
    :effect (and (aboard ?p ?e) (not (trapped ?p ?h)) (not (seat-free ?e)) (increase (total-cost) 2)))
  (:action admit
    :parameters (?e - engine ?p - person)
    :precondition (and (at ?e hospital) (aboard ?p ?e))
    :effect (and (safe ?p) (seat-free ?e) (not (aboard ?p ?e)) (increase (total-cost) 1))))
