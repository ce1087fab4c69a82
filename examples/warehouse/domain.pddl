; A forklift brings pallets from the shelves to the docks, one at a time. A pallet must be wrapped
; before it is put down; that is done at a place with a wrapping machine, while it is on the fork.
(define (domain warehouse)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types place pallet)

  (:predicates
    (equipped ?p - place)           ; with a wrapping machine
    (forklift-at ?p - place)
    (at ?x - pallet ?p - place)     ; not true while the pallet is on the fork
    (loaded ?x - pallet)            ; on the fork
    (fork-free)
    (wrapped ?x - pallet))

  (:action drive
    :parameters (?from ?to - place)
    :precondition (and (forklift-at ?from) (not (= ?from ?to)))
    :effect (and (forklift-at ?to) (not (forklift-at ?from))))

  (:action lift
    :parameters (?x - pallet ?p - place)
    :precondition (and (forklift-at ?p) (at ?x ?p) (fork-free))
    :effect (and (loaded ?x) (not (at ?x ?p)) (not (fork-free))))

  (:action wrap
    :parameters (?x - pallet ?p - place)
    :precondition (and (forklift-at ?p) (equipped ?p) (loaded ?x) (not (wrapped ?x)))
    :effect (wrapped ?x))

  (:action put-down
    :parameters (?x - pallet ?p - place)
    :precondition (and (forklift-at ?p) (loaded ?x) (wrapped ?x))
    :effect (and (at ?x ?p) (fork-free) (not (loaded ?x)))))
