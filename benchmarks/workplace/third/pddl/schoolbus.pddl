; A school bus depot: keys on a board, a gate, a tank that lasts for one tour,
; coaches and minibuses (with a ramp), seats and wheelchair bays one by one.
(define (domain schoolbus)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place bus driver child spot - object
          stop school yard - place
          coach minibus - bus
          pupil wheelchair-user - child
          seat bay - spot)
  (:constants depot - yard)
  (:predicates
    (road ?a ?b - place)
    (depot-road ?x - place)
    (gate-open)
    (key-on-board ?b - bus)
    (has-key ?d - driver ?b - bus)
    (on-foot ?d - driver)
    (driving ?d - driver ?b - bus)
    (fuelled ?b - bus)
    (at ?b - bus ?x - place)
    (ramp-down ?b - bus)
    (spot-of ?s - spot ?b - bus)
    (spot-free ?s - spot)
    (waits ?c - child ?x - stop)
    (sits ?c - child ?s - spot)
    (attends ?c - child ?x - school)
    (delivered ?c - child))
  (:functions (total-cost) - number)

  (:action take-key
    :parameters (?d - driver ?b - bus)
    :precondition (and (on-foot ?d) (key-on-board ?b))
    :effect (and (has-key ?d ?b) (not (key-on-board ?b))
                 (increase (total-cost) 1)))

  (:action hang-key
    :parameters (?d - driver ?b - bus)
    :precondition (and (on-foot ?d) (has-key ?d ?b) (at ?b depot))
    :effect (and (key-on-board ?b) (not (has-key ?d ?b))
                 (increase (total-cost) 1)))

  (:action open-gate
    :parameters (?d - driver)
    :precondition (and (on-foot ?d) (not (gate-open)))
    :effect (and (gate-open) (increase (total-cost) 2)))

  (:action refuel
    :parameters (?b - bus)
    :precondition (and (at ?b depot) (not (fuelled ?b)))
    :effect (and (fuelled ?b) (increase (total-cost) 5)))

  (:action get-in
    :parameters (?d - driver ?b - bus)
    :precondition (and (on-foot ?d) (has-key ?d ?b) (at ?b depot))
    :effect (and (driving ?d ?b) (not (on-foot ?d))
                 (increase (total-cost) 1)))

  (:action get-out
    :parameters (?d - driver ?b - bus)
    :precondition (and (driving ?d ?b) (at ?b depot))
    :effect (and (on-foot ?d) (not (driving ?d ?b))
                 (increase (total-cost) 1)))

  (:action leave-depot
    :parameters (?d - driver ?b - bus ?x - place)
    :precondition (and (driving ?d ?b) (at ?b depot) (fuelled ?b) (gate-open)
                       (depot-road ?x))
    :effect (and (at ?b ?x) (not (at ?b depot)) (not (fuelled ?b))
                 (increase (total-cost) 3)))

  (:action enter-depot
    :parameters (?d - driver ?b - bus ?x - place)
    :precondition (and (driving ?d ?b) (at ?b ?x) (depot-road ?x) (gate-open))
    :effect (and (at ?b depot) (not (at ?b ?x))
                 (increase (total-cost) 3)))

  (:action drive
    :parameters (?d - driver ?b - bus ?x ?y - place)
    :precondition (and (driving ?d ?b) (at ?b ?x) (road ?x ?y)
                       (not (ramp-down ?b)))
    :effect (and (at ?b ?y) (not (at ?b ?x))
                 (increase (total-cost) 4)))

  (:action lower-ramp
    :parameters (?d - driver ?m - minibus)
    :precondition (and (driving ?d ?m) (not (ramp-down ?m)))
    :effect (and (ramp-down ?m) (increase (total-cost) 1)))

  (:action raise-ramp
    :parameters (?d - driver ?m - minibus)
    :precondition (and (driving ?d ?m) (ramp-down ?m))
    :effect (and (not (ramp-down ?m)) (increase (total-cost) 1)))

  (:action pick-up
    :parameters (?d - driver ?b - bus ?c - pupil ?s - seat ?x - stop)
    :precondition (and (driving ?d ?b) (at ?b ?x) (waits ?c ?x)
                       (spot-of ?s ?b) (spot-free ?s))
    :effect (and (sits ?c ?s) (not (waits ?c ?x)) (not (spot-free ?s))
                 (increase (total-cost) 1)))

  (:action pick-up-wheelchair
    :parameters (?d - driver ?m - minibus ?c - wheelchair-user ?s - bay ?x - stop)
    :precondition (and (driving ?d ?m) (at ?m ?x) (waits ?c ?x) (ramp-down ?m)
                       (spot-of ?s ?m) (spot-free ?s))
    :effect (and (sits ?c ?s) (not (waits ?c ?x)) (not (spot-free ?s))
                 (increase (total-cost) 2)))

  (:action drop-off
    :parameters (?d - driver ?b - bus ?c - pupil ?s - seat ?x - school)
    :precondition (and (driving ?d ?b) (at ?b ?x) (attends ?c ?x)
                       (sits ?c ?s) (spot-of ?s ?b))
    :effect (and (delivered ?c) (spot-free ?s) (not (sits ?c ?s))
                 (increase (total-cost) 1)))

  (:action drop-off-wheelchair
    :parameters (?d - driver ?m - minibus ?c - wheelchair-user ?s - bay ?x - school)
    :precondition (and (driving ?d ?m) (at ?m ?x) (attends ?c ?x) (ramp-down ?m)
                       (sits ?c ?s) (spot-of ?s ?m))
    :effect (and (delivered ?c) (spot-free ?s) (not (sits ?c ?s))
                 (increase (total-cost) 2)))
)
