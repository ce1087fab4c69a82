; Movers bring boxes and heavy furniture from the rooms of one house into those of another. Heavy things need two movers; wardrobes are taken apart first.
(define (domain removal)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types place thing mover slot - object
          street room - place
          box heavy - thing
          wardrobe - heavy)
  (:constants old-street new-street - street)
  (:predicates
    (door ?a ?b - place)
    (at ?m - mover ?x - place)
    (hands-free ?m - mover)
    (lies ?t - thing ?x - place)
    (holds ?m - mover ?b - box)
    (bear ?m ?n - mover ?h - heavy)
    (bulky ?h - heavy)
    (assembled ?w - wardrobe)
    (van-at ?x - street)
    (slot-free ?s - slot)
    (in-van ?t - thing ?s - slot))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?m - mover ?a ?b - place)
    :precondition (and (at ?m ?a) (door ?a ?b) (hands-free ?m))
    :effect (and (at ?m ?b) (not (at ?m ?a)) (increase (total-cost) 1)))
  (:action take-bus
    :parameters (?m - mover ?a ?b - street)
    :precondition (and (at ?m ?a) (hands-free ?m) (not (= ?a ?b)))
    :effect (and (at ?m ?b) (not (at ?m ?a)) (increase (total-cost) 5)))
  (:action drive
    :parameters (?m - mover ?a ?b - street)
    :precondition (and (at ?m ?a) (van-at ?a) (hands-free ?m) (not (= ?a ?b)))
    :effect (and (at ?m ?b) (van-at ?b) (not (at ?m ?a)) (not (van-at ?a)) (increase (total-cost) 8)))
  (:action lift-box
    :parameters (?m - mover ?t - box ?x - place)
    :precondition (and (at ?m ?x) (lies ?t ?x) (hands-free ?m))
    :effect (and (holds ?m ?t) (not (lies ?t ?x)) (not (hands-free ?m)) (increase (total-cost) 1)))
  (:action carry-box
    :parameters (?m - mover ?t - box ?a ?b - place)
    :precondition (and (at ?m ?a) (holds ?m ?t) (door ?a ?b))
    :effect (and (at ?m ?b) (not (at ?m ?a)) (increase (total-cost) 1)))
  (:action drop-box
    :parameters (?m - mover ?t - box ?x - place)
    :precondition (and (at ?m ?x) (holds ?m ?t))
    :effect (and (lies ?t ?x) (hands-free ?m) (not (holds ?m ?t)) (increase (total-cost) 1)))
  (:action lift-heavy
    :parameters (?m ?n - mover ?t - heavy ?x - place)
    :precondition (and (at ?m ?x) (at ?n ?x) (lies ?t ?x) (hands-free ?m) (hands-free ?n) (not (bulky ?t)) (not (= ?m ?n)))
    :effect (and (bear ?m ?n ?t) (not (lies ?t ?x)) (not (hands-free ?m)) (not (hands-free ?n)) (increase (total-cost) 2)))
  (:action carry-heavy
    :parameters (?m ?n - mover ?t - heavy ?a ?b - place)
    :precondition (and (at ?m ?a) (at ?n ?a) (bear ?m ?n ?t) (door ?a ?b))
    :effect (and (at ?m ?b) (at ?n ?b) (not (at ?m ?a)) (not (at ?n ?a)) (increase (total-cost) 3)))
  (:action drop-heavy
    :parameters (?m ?n - mover ?t - heavy ?x - place)
    :precondition (and (at ?m ?x) (at ?n ?x) (bear ?m ?n ?t))
    :effect (and (lies ?t ?x) (hands-free ?m) (hands-free ?n) (not (bear ?m ?n ?t)) (increase (total-cost) 2)))
  (:action dismantle
    :parameters (?m - mover ?w - wardrobe ?x - place)
    :precondition (and (at ?m ?x) (lies ?w ?x) (hands-free ?m) (assembled ?w))
    :effect (and (not (assembled ?w)) (not (bulky ?w)) (increase (total-cost) 4)))
  (:action assemble
    :parameters (?m - mover ?w - wardrobe ?x - room)
    :precondition (and (at ?m ?x) (lies ?w ?x) (hands-free ?m) (not (assembled ?w)))
    :effect (and (assembled ?w) (bulky ?w) (increase (total-cost) 4)))
  (:action load
    :parameters (?m - mover ?t - thing ?x - street ?s - slot)
    :precondition (and (at ?m ?x) (van-at ?x) (lies ?t ?x) (slot-free ?s))
    :effect (and (in-van ?t ?s) (not (lies ?t ?x)) (not (slot-free ?s)) (increase (total-cost) 1)))
  (:action unload
    :parameters (?m - mover ?t - thing ?x - street ?s - slot)
    :precondition (and (at ?m ?x) (van-at ?x) (in-van ?t ?s))
    :effect (and (lies ?t ?x) (slot-free ?s) (not (in-van ?t ?s)) (increase (total-cost) 1))))
