"""The domains of the scale benchmark, with the signatures of the paper's and of MOOSE's."""

from __future__ import annotations

GRIPPER = """\
; A robot with grippers carries balls between rooms.
(define (domain gripper-strips)
  (:requirements :strips)
  (:predicates
    (room ?r) (ball ?b) (gripper ?g)
    (at-robby ?r) (at ?b ?r) (free ?g) (carry ?b ?g))
  (:action move
    :parameters (?from ?to)
    :precondition (and (room ?from) (room ?to) (at-robby ?from))
    :effect (and (at-robby ?to) (not (at-robby ?from))))
  (:action pick
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (at ?b ?r) (at-robby ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))
  (:action drop
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (carry ?b ?g) (at-robby ?r))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
"""

_MICONIC = """\
; Lifts carry passengers between the floors of their building.
(define (domain miconic)
  (:requirements :strips :typing)
  (:types passenger floor - object)
  (:predicates
    (origin ?p - passenger ?f - floor)
    (destin ?p - passenger ?f - floor)
    (above ?lower ?higher - floor)
    (boarded ?p - passenger)
    (served ?p - passenger)
    (lift-at ?f - floor))
  (:action board
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (origin ?p ?f))
    :effect (and (boarded ?p)BOARDING))
  (:action depart
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (destin ?p ?f) (boarded ?p))
    :effect (and (served ?p) (not (boarded ?p))))
  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))
  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from)))))
"""

# In the paper's domain a passenger's origin stays true after boarding; MOOSE deletes it.
MICONIC = _MICONIC.replace("BOARDING", "")
MOOSE_MICONIC = _MICONIC.replace("BOARDING", " (not (origin ?p ?f))")

SPANNER = """\
; A man collects spanners along a one-way corridor; each tightens one nut at its end.
(define (domain spanner)
  (:requirements :strips :typing)
  (:types location locatable - object man nut spanner - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (carrying ?m - man ?s - spanner)
    (useable ?s - spanner)
    (link ?from ?to - location)
    (tightened ?n - nut)
    (loose ?n - nut))
  (:action walk
    :parameters (?from ?to - location ?m - man)
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
"""

DELIVERY = """\
; Newspapers go from the home base to customers; from a place that is not safe nobody returns.
(define (domain trapnewspapers)
  (:requirements :strips :typing)
  (:types loc paper)
  (:predicates
    (at ?l - loc) (ishomebase ?l - loc) (satisfied ?l - loc) (wantspaper ?l - loc) (safe ?l - loc)
    (unpacked ?p - paper) (carrying ?p - paper))
  (:action pick-up
    :parameters (?p - paper ?l - loc)
    :precondition (and (at ?l) (ishomebase ?l) (unpacked ?p))
    :effect (and (carrying ?p) (not (unpacked ?p))))
  (:action move
    :parameters (?from ?to - loc)
    :precondition (and (at ?from) (safe ?from))
    :effect (and (at ?to) (not (at ?from))))
  (:action deliver
    :parameters (?p - paper ?l - loc)
    :precondition (and (at ?l) (carrying ?p))
    :effect (and (satisfied ?l) (not (carrying ?p)) (not (wantspaper ?l)))))
"""

FOREST = """\
; A hiker crosses a grid of land, hills and water, along a trail.
(define (domain hiking)
  (:requirements :strips :typing :negative-preconditions)
  (:types loc)
  (:predicates
    (at ?l - loc) (iswater ?l - loc) (ishill ?l - loc)
    (adjacent ?from ?to - loc) (ontrail ?from ?to - loc))
  (:action walk
    :parameters (?from ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (not (ishill ?to)) (not (iswater ?from)))
    :effect (and (at ?to) (not (at ?from))))
  (:action climb
    :parameters (?from ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (ishill ?to) (not (iswater ?from)))
    :effect (and (at ?to) (not (at ?from)))))
"""

TRANSPORT = """\
; Vehicles of limited capacity carry packages; from every location all others can be reached.
(define (domain transport)
  (:requirements :strips :typing)
  (:types size location locatable - object vehicle package - locatable)
  (:predicates
    (road ?from ?to - location)
    (at ?x - locatable ?l - location)
    (in ?p - package ?v - vehicle)
    (capacity ?v - vehicle ?room - size)
    (capacity-predecessor ?less ?more - size))
  (:action drive
    :parameters (?v - vehicle ?from ?to - location)
    :precondition (and (at ?v ?from))
    :effect (and (at ?v ?to) (not (at ?v ?from))))
  (:action pick-up
    :parameters (?v - vehicle ?l - location ?p - package ?less ?more - size)
    :precondition (and (at ?v ?l) (at ?p ?l) (capacity-predecessor ?less ?more) (capacity ?v ?more))
    :effect (and (in ?p ?v) (capacity ?v ?less) (not (at ?p ?l)) (not (capacity ?v ?more))))
  (:action drop
    :parameters (?v - vehicle ?l - location ?p - package ?less ?more - size)
    :precondition (and (at ?v ?l) (in ?p ?v) (capacity-predecessor ?less ?more) (capacity ?v ?less))
    :effect (and (at ?p ?l) (capacity ?v ?more) (not (in ?p ?v)) (not (capacity ?v ?less)))))
"""

LOGISTICS = """\
; Trucks carry packages within a city, airplanes from city to city.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    locatable location city - object
    vehicle package - locatable
    truck airplane - vehicle)
  (:predicates
    (has-airport ?l - location)
    (at ?x - locatable ?l - location)
    (in ?p - package ?v - vehicle)
    (in-city ?l - location ?c - city))
  (:action load-truck
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?p ?l))
    :effect (and (in ?p ?t) (not (at ?p ?l))))
  (:action load-airplane
    :parameters (?p - package ?a - airplane ?l - location)
    :precondition (and (at ?p ?l) (at ?a ?l))
    :effect (and (in ?p ?a) (not (at ?p ?l))))
  (:action unload-truck
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (in ?p ?t))
    :effect (and (at ?p ?l) (not (in ?p ?t))))
  (:action unload-airplane
    :parameters (?p - package ?a - airplane ?l - location)
    :precondition (and (in ?p ?a) (at ?a ?l))
    :effect (and (at ?p ?l) (not (in ?p ?a))))
  (:action drive-truck
    :parameters (?t - truck ?from ?to - location ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action fly-airplane
    :parameters (?a - airplane ?from ?to - location)
    :precondition (and (has-airport ?from) (has-airport ?to) (at ?a ?from))
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
"""

FLEET = """\
; Vans with room for a few parcels, counted by numbers; drivers count the parcels on the road.
(define (domain fleet)
  (:requirements :typing :numeric-fluents)
  (:types place van parcel)
  (:predicates (parked ?v - van ?p - place) (at ?x - parcel ?p - place) (in ?x - parcel ?v - van))
  (:functions (room ?v - van) (on-the-road))
  (:action drive
    :parameters (?v - van ?from ?to - place)
    :precondition (parked ?v ?from)
    :effect (and (parked ?v ?to) (not (parked ?v ?from))))
  (:action load
    :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (parked ?v ?p) (at ?x ?p) (>= (room ?v) 1))
    :effect (and (in ?x ?v) (not (at ?x ?p)) (decrease (room ?v) 1) (increase (on-the-road) 1)))
  (:action unload
    :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (parked ?v ?p) (in ?x ?v))
    :effect (and (at ?x ?p) (not (in ?x ?v)) (increase (room ?v) 1) (decrease (on-the-road) 1))))
"""

CARRIERS = """\
; What is in a van moves with it.
(define (domain carriers)
  (:requirements :adl)
  (:types place van parcel)
  (:predicates (parked ?v - van ?p - place) (at ?x - parcel ?p - place) (in ?x - parcel ?v - van)
    (free ?x - parcel))
  (:action drive
    :parameters (?v - van ?from ?to - place)
    :precondition (parked ?v ?from)
    :effect (and (parked ?v ?to) (not (parked ?v ?from))
      (forall (?x - parcel) (when (in ?x ?v) (and (at ?x ?to) (not (at ?x ?from)))))))
  (:action load
    :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (parked ?v ?p) (at ?x ?p) (free ?x))
    :effect (and (in ?x ?v) (not (free ?x))))
  (:action unload
    :parameters (?x - parcel ?v - van)
    :precondition (in ?x ?v)
    :effect (and (free ?x) (not (in ?x ?v)))))
"""
