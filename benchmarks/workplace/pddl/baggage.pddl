; Bags go from check-in through screening to planes at their gates; a suspicious bag is searched first. Tugs need charge.
(define (domain baggage)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place bag plane tug - object
          gate - place)
  (:constants hall screening - place)
  (:predicates
    (tug-at ?t - tug ?x - place)
    (bag-at ?b - bag ?x - place)
    (on ?b - bag ?t - tug)
    (empty ?t - tug)
    (charged ?t - tug)
    (plane-at ?p - plane ?g - gate)
    (hold-open ?p - plane)
    (booked ?b - bag ?p - plane)
    (suspicious ?b - bag)
    (screened ?b - bag)
    (aboard ?b - bag ?p - plane))
  (:functions (total-cost) - number)
  (:action charge
    :parameters (?t - tug)
    :precondition (and (tug-at ?t hall) (not (charged ?t)))
    :effect (and (charged ?t) (increase (total-cost) 5)))
  (:action drive
    :parameters (?t - tug ?from ?to - place)
    :precondition (and (tug-at ?t ?from) (charged ?t) (not (= ?from ?to)))
    :effect (and (tug-at ?t ?to) (not (tug-at ?t ?from)) (increase (total-cost) 2)))
  (:action lift-bag
    :parameters (?t - tug ?b - bag ?x - place)
    :precondition (and (tug-at ?t ?x) (bag-at ?b ?x) (empty ?t))
    :effect (and (on ?b ?t) (not (bag-at ?b ?x)) (not (empty ?t)) (increase (total-cost) 1)))
  (:action drop-bag
    :parameters (?t - tug ?b - bag ?x - place)
    :precondition (and (tug-at ?t ?x) (on ?b ?t))
    :effect (and (bag-at ?b ?x) (empty ?t) (not (on ?b ?t)) (increase (total-cost) 1)))
  (:action screen
    :parameters (?b - bag)
    :precondition (and (bag-at ?b screening) (not (suspicious ?b)))
    :effect (and (screened ?b) (increase (total-cost) 1)))
  (:action search-bag
    :parameters (?b - bag)
    :precondition (and (bag-at ?b screening) (suspicious ?b))
    :effect (and (not (suspicious ?b)) (increase (total-cost) 4)))
  (:action open-hold
    :parameters (?p - plane ?g - gate ?t - tug)
    :precondition (and (plane-at ?p ?g) (tug-at ?t ?g) (not (hold-open ?p)))
    :effect (and (hold-open ?p) (increase (total-cost) 1)))
  (:action stow
    :parameters (?t - tug ?b - bag ?p - plane ?g - gate)
    :precondition (and (tug-at ?t ?g) (plane-at ?p ?g) (on ?b ?t) (hold-open ?p) (screened ?b) (booked ?b ?p))
    :effect (and (aboard ?b ?p) (empty ?t) (not (on ?b ?t)) (increase (total-cost) 1))))
