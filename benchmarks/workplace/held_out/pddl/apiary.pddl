; A beekeeper brings combs from the hives to the honey house, spins them and puts them back. The smoker lasts for one hive.
(define (domain apiary)
  (:requirements :strips :typing :negative-preconditions :equality :action-costs)
  (:types place hive comb - object
          meadow - place)
  (:constants honey-house - place)
  (:predicates
    (at ?x - place)
    (stands ?h - hive ?x - meadow)
    (suited)
    (smoking)
    (closed ?h - hive)
    (in-hive ?c - comb ?h - hive)
    (hands-free)
    (holds ?c - comb)
    (capped ?c - comb)
    (in-spinner ?c - comb)
    (spinner-free)
    (spun ?c - comb))
  (:functions (total-cost) - number)
  (:action drive
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (not (= ?from ?to)))
    :effect (and (at ?to) (not (at ?from)) (increase (total-cost) 4)))
  (:action put-on-suit
    :parameters ()
    :precondition (and (at honey-house) (hands-free) (not (suited)))
    :effect (and (suited) (increase (total-cost) 1)))
  (:action light-smoker
    :parameters ()
    :precondition (not (smoking))
    :effect (and (smoking) (increase (total-cost) 1)))
  (:action open-hive
    :parameters (?h - hive ?x - meadow)
    :precondition (and (at ?x) (stands ?h ?x) (suited) (smoking) (closed ?h))
    :effect (and (not (closed ?h)) (not (smoking)) (increase (total-cost) 1)))
  (:action close-hive
    :parameters (?h - hive ?x - meadow)
    :precondition (and (at ?x) (stands ?h ?x) (not (closed ?h)))
    :effect (and (closed ?h) (increase (total-cost) 1)))
  (:action take-comb
    :parameters (?c - comb ?h - hive ?x - meadow)
    :precondition (and (at ?x) (stands ?h ?x) (not (closed ?h)) (in-hive ?c ?h) (hands-free))
    :effect (and (holds ?c) (not (in-hive ?c ?h)) (not (hands-free)) (increase (total-cost) 1)))
  (:action put-comb
    :parameters (?c - comb ?h - hive ?x - meadow)
    :precondition (and (at ?x) (stands ?h ?x) (not (closed ?h)) (holds ?c))
    :effect (and (in-hive ?c ?h) (hands-free) (not (holds ?c)) (increase (total-cost) 1)))
  (:action uncap
    :parameters (?c - comb)
    :precondition (and (at honey-house) (holds ?c) (capped ?c))
    :effect (and (not (capped ?c)) (increase (total-cost) 2)))
  (:action insert
    :parameters (?c - comb)
    :precondition (and (at honey-house) (holds ?c) (spinner-free))
    :effect (and (in-spinner ?c) (hands-free) (not (holds ?c)) (not (spinner-free)) (increase (total-cost) 1)))
  (:action spin
    :parameters (?c - comb)
    :precondition (and (in-spinner ?c) (not (capped ?c)))
    :effect (and (spun ?c) (increase (total-cost) 3)))
  (:action remove
    :parameters (?c - comb)
    :precondition (and (at honey-house) (in-spinner ?c) (hands-free))
    :effect (and (holds ?c) (spinner-free) (not (in-spinner ?c)) (not (hands-free)) (increase (total-cost) 1))))
