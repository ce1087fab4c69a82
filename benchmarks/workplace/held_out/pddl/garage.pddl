; Worn parts of cars are replaced: tyres and exhausts under a raised lift, batteries under an open hood. A car that is handed back does not return.
(define (domain garage)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types place car mechanic part - object
          bay - place
          tyre exhaust battery - part)
  (:constants store - place)
  (:predicates
    (at ?m - mechanic ?x - place)
    (hands-free ?m - mechanic)
    (has-spare ?m - mechanic ?p - part)
    (waiting ?c - car)
    (stands ?c - car ?b - bay)
    (vacant ?b - bay)
    (raised ?b - bay)
    (hood-open ?c - car)
    (worn ?p - part ?c - car)
    (missing ?p - part ?c - car)
    (fitted ?p - part ?c - car)
    (back ?c - car))
  (:action walk
    :parameters (?m - mechanic ?from ?to - place)
    :precondition (and (at ?m ?from) (not (= ?from ?to)))
    :effect (and (at ?m ?to) (not (at ?m ?from))))
  (:action drive-in
    :parameters (?c - car ?b - bay)
    :precondition (and (waiting ?c) (vacant ?b) (not (raised ?b)))
    :effect (and (stands ?c ?b) (not (waiting ?c)) (not (vacant ?b))))
  (:action raise
    :parameters (?m - mechanic ?b - bay)
    :precondition (and (at ?m ?b) (not (raised ?b)))
    :effect (raised ?b))
  (:action lower
    :parameters (?m - mechanic ?b - bay)
    :precondition (and (at ?m ?b) (raised ?b))
    :effect (not (raised ?b)))
  (:action open-hood
    :parameters (?m - mechanic ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (not (raised ?b)) (not (hood-open ?c)))
    :effect (hood-open ?c))
  (:action close-hood
    :parameters (?m - mechanic ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (not (raised ?b)) (hood-open ?c))
    :effect (not (hood-open ?c)))
  (:action remove-below
    :parameters (?m - mechanic ?p - (either tyre exhaust) ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (raised ?b) (worn ?p ?c) (hands-free ?m))
    :effect (and (missing ?p ?c) (not (worn ?p ?c))))
  (:action remove-battery
    :parameters (?m - mechanic ?p - battery ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (not (raised ?b)) (hood-open ?c) (worn ?p ?c) (hands-free ?m))
    :effect (and (missing ?p ?c) (not (worn ?p ?c))))
  (:action take-spare
    :parameters (?m - mechanic ?p - part)
    :precondition (and (at ?m store) (hands-free ?m))
    :effect (and (has-spare ?m ?p) (not (hands-free ?m))))
  (:action return-spare
    :parameters (?m - mechanic ?p - part)
    :precondition (and (at ?m store) (has-spare ?m ?p))
    :effect (and (hands-free ?m) (not (has-spare ?m ?p))))
  (:action fit-below
    :parameters (?m - mechanic ?p - (either tyre exhaust) ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (raised ?b) (missing ?p ?c) (has-spare ?m ?p))
    :effect (and (fitted ?p ?c) (hands-free ?m) (not (missing ?p ?c)) (not (has-spare ?m ?p))))
  (:action fit-battery
    :parameters (?m - mechanic ?p - battery ?c - car ?b - bay)
    :precondition (and (at ?m ?b) (stands ?c ?b) (not (raised ?b)) (hood-open ?c) (missing ?p ?c) (has-spare ?m ?p))
    :effect (and (fitted ?p ?c) (hands-free ?m) (not (missing ?p ?c)) (not (has-spare ?m ?p))))
  (:action hand-back
    :parameters (?c - car ?b - bay)
    :precondition (and (stands ?c ?b) (not (raised ?b)) (not (hood-open ?c)))
    :effect (and (back ?c) (vacant ?b) (not (stands ?c ?b)))))
