; A cook prepares ordered dishes: chop each ingredient on the board, cook in a clean pot, plate and serve.
(define (domain kitchen)
  (:requirements :strips :typing :negative-preconditions)
  (:types dish ingredient vessel table - object
          pot plate - vessel
          raw-ingredient - ingredient)
  (:predicates
    (part-of ?i - ingredient ?d - dish)
    (ordered ?d - dish ?t - table)
    (in-larder ?i - ingredient)
    (on-board ?i - ingredient)
    (board-free)
    (ready ?i - ingredient)
    (in-pot ?i - ingredient ?p - pot)
    (pot-for ?p - pot ?d - dish)
    (unused ?p - pot)
    (dirty ?v - vessel)
    (cooked ?d - dish)
    (on-plate ?d - dish ?v - plate)
    (served ?d - dish ?t - table))
  (:action fetch
    :parameters (?i - ingredient)
    :precondition (and (in-larder ?i) (board-free))
    :effect (and (on-board ?i) (not (in-larder ?i)) (not (board-free))))
  (:action chop
    :parameters (?i - raw-ingredient)
    :precondition (on-board ?i)
    :effect (ready ?i))
  (:action choose-pot
    :parameters (?p - pot ?d - dish ?t - table)
    :precondition (and (unused ?p) (not (dirty ?p)) (ordered ?d ?t))
    :effect (and (pot-for ?p ?d) (not (unused ?p))))
  (:action add
    :parameters (?i - ingredient ?d - dish ?p - pot)
    :precondition (and (on-board ?i) (ready ?i) (part-of ?i ?d) (pot-for ?p ?d))
    :effect (and (in-pot ?i ?p) (board-free) (not (on-board ?i))))
  (:action cook
    :parameters (?d - dish ?p - pot ?i ?j - ingredient)
    :precondition (and (pot-for ?p ?d) (part-of ?i ?d) (part-of ?j ?d) (not (= ?i ?j)) (in-pot ?i ?p) (in-pot ?j ?p))
    :effect (cooked ?d))
  (:action dish-up
    :parameters (?d - dish ?p - pot ?v - plate)
    :precondition (and (cooked ?d) (pot-for ?p ?d) (not (dirty ?v)))
    :effect (and (on-plate ?d ?v) (dirty ?v) (dirty ?p) (unused ?p) (not (pot-for ?p ?d))))
  (:action wash
    :parameters (?v - vessel)
    :precondition (dirty ?v)
    :effect (not (dirty ?v)))
  (:action serve
    :parameters (?d - dish ?v - plate ?t - table)
    :precondition (and (on-plate ?d ?v) (ordered ?d ?t))
    :effect (and (served ?d ?t) (not (on-plate ?d ?v)))))
