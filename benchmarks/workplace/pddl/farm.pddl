; A tractor with one implement at a time ploughs, sows and harvests fields; sown fields are watered; crops go to the barn.
(define (domain farm)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place implement tractor seed - object
          field - place
          plough drill harvester trailer - implement)
  (:constants yard barn - place)
  (:predicates
    (at ?t - tractor ?x - place)
    (in-yard ?i - implement)
    (attached ?i - implement ?t - tractor)
    (bare ?t - tractor)
    (seed-for ?s - seed ?f - field)
    (loaded ?s - seed ?i - drill)
    (drill-empty ?i - drill)
    (ploughed ?f - field)
    (sown ?f - field)
    (watered ?f - field)
    (cut ?f - field)
    (crop-on ?f - field ?i - trailer)
    (trailer-empty ?i - trailer)
    (harvested ?f - field))
  (:functions (total-cost) - number)
  (:action drive
    :parameters (?t - tractor ?from ?to - place)
    :precondition (and (at ?t ?from) (not (= ?from ?to)))
    :effect (and (at ?t ?to) (not (at ?t ?from)) (increase (total-cost) 2)))
  (:action attach
    :parameters (?t - tractor ?i - implement)
    :precondition (and (at ?t yard) (in-yard ?i) (bare ?t))
    :effect (and (attached ?i ?t) (not (in-yard ?i)) (not (bare ?t)) (increase (total-cost) 1)))
  (:action detach
    :parameters (?t - tractor ?i - implement)
    :precondition (and (at ?t yard) (attached ?i ?t))
    :effect (and (in-yard ?i) (bare ?t) (not (attached ?i ?t)) (increase (total-cost) 1)))
  (:action plough
    :parameters (?t - tractor ?i - plough ?f - field)
    :precondition (and (at ?t ?f) (attached ?i ?t) (not (ploughed ?f)))
    :effect (and (ploughed ?f) (increase (total-cost) 4)))
  (:action fill-drill
    :parameters (?t - tractor ?i - drill ?s - seed)
    :precondition (and (at ?t barn) (attached ?i ?t) (drill-empty ?i))
    :effect (and (loaded ?s ?i) (not (drill-empty ?i)) (increase (total-cost) 1)))
  (:action sow
    :parameters (?t - tractor ?i - drill ?s - seed ?f - field)
    :precondition (and (at ?t ?f) (attached ?i ?t) (loaded ?s ?i) (seed-for ?s ?f) (ploughed ?f))
    :effect (and (sown ?f) (drill-empty ?i) (not (loaded ?s ?i)) (increase (total-cost) 2)))
  (:action water
    :parameters (?f - field)
    :precondition (sown ?f)
    :effect (and (watered ?f) (increase (total-cost) 1)))
  (:action cut
    :parameters (?t - tractor ?i - harvester ?f - field)
    :precondition (and (at ?t ?f) (attached ?i ?t) (sown ?f) (watered ?f))
    :effect (and (cut ?f) (increase (total-cost) 3)))
  (:action load-crop
    :parameters (?t - tractor ?i - trailer ?f - field)
    :precondition (and (at ?t ?f) (attached ?i ?t) (cut ?f) (trailer-empty ?i))
    :effect (and (crop-on ?f ?i) (not (cut ?f)) (not (trailer-empty ?i)) (increase (total-cost) 1)))
  (:action store-crop
    :parameters (?t - tractor ?i - trailer ?f - field)
    :precondition (and (at ?t barn) (attached ?i ?t) (crop-on ?f ?i))
    :effect (and (harvested ?f) (trailer-empty ?i) (not (crop-on ?f ?i)) (increase (total-cost) 1))))
