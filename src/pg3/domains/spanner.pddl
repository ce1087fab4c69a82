; Spanner: a man walks along a corridor that leads one way only, picks up spanners as he goes, and
; tightens the nuts at its end. A spanner works once.
(define (domain spanner)
  (:requirements :strips :typing)

  (:types
    location locatable - object
    man nut spanner - locatable)

  (:predicates
    (at ?x - locatable ?l - location)
    (link ?from - location ?to - location)    ; one can walk this way, not back
    (carrying ?m - man ?s - spanner)
    (useable ?s - spanner)                    ; not used yet
    (loose ?n - nut)
    (tightened ?n - nut))

  (:action walk
    :parameters (?from - location ?to - location ?m - man)
    :precondition (and (at ?m ?from) (link ?from ?to))
    :effect (and (at ?m ?to) (not (at ?m ?from))))

  (:action pickup_spanner
    :parameters (?l - location ?s - spanner ?m - man)
    :precondition (and (at ?m ?l) (at ?s ?l))
    :effect (and (carrying ?m ?s) (not (at ?s ?l))))

  (:action tighten_nut
    :parameters (?l - location ?s - spanner ?m - man ?n - nut)
    :precondition (and (at ?m ?l) (at ?n ?l) (carrying ?m ?s) (useable ?s) (loose ?n))
    :effect (and (tightened ?n) (not (loose ?n)) (not (useable ?s)))))
