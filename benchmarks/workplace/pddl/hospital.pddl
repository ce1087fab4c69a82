; Nurses bring patients to their wards and give them their drug. Infectious patients need gloves, a fresh pair each.
(define (domain hospital)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types room floor person - object
          ward - room
          patient nurse - person)
  (:constants pharmacy - room)
  (:predicates
    (on-floor ?r - room ?f - floor)
    (lift-at ?f - floor)
    (in ?p - person ?r - room)
    (hands-free ?n - nurse)
    (pushes ?n - nurse ?p - patient)
    (gloved ?n - nurse)
    (has-drug ?n - nurse)
    (infectious ?p - patient)
    (treated ?p - patient))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?n - nurse ?from ?to - room ?f - floor)
    :precondition (and (in ?n ?from) (on-floor ?from ?f) (on-floor ?to ?f) (hands-free ?n))
    :effect (and (in ?n ?to) (not (in ?n ?from)) (increase (total-cost) 1)))
  (:action push
    :parameters (?n - nurse ?p - patient ?from ?to - room ?f - floor)
    :precondition (and (in ?n ?from) (pushes ?n ?p) (on-floor ?from ?f) (on-floor ?to ?f))
    :effect (and (in ?n ?to) (not (in ?n ?from)) (increase (total-cost) 2)))
  (:action call-lift
    :parameters (?n - nurse ?r - room ?from ?to - floor)
    :precondition (and (in ?n ?r) (on-floor ?r ?to) (lift-at ?from) (not (= ?from ?to)))
    :effect (and (lift-at ?to) (not (lift-at ?from)) (increase (total-cost) 1)))
  (:action ride-lift
    :parameters (?n - nurse ?from ?to - room ?f ?g - floor)
    :precondition (and (in ?n ?from) (on-floor ?from ?f) (on-floor ?to ?g) (lift-at ?f) (not (= ?f ?g)))
    :effect (and (in ?n ?to) (not (in ?n ?from)) (lift-at ?g) (not (lift-at ?f)) (increase (total-cost) 3)))
  (:action seat
    :parameters (?n - nurse ?p - patient ?r - room)
    :precondition (and (in ?n ?r) (in ?p ?r) (hands-free ?n) (not (infectious ?p)))
    :effect (and (pushes ?n ?p) (not (in ?p ?r)) (not (hands-free ?n)) (increase (total-cost) 1)))
  (:action seat-infectious
    :parameters (?n - nurse ?p - patient ?r - room)
    :precondition (and (in ?n ?r) (in ?p ?r) (hands-free ?n) (infectious ?p) (gloved ?n))
    :effect (and (pushes ?n ?p) (not (in ?p ?r)) (not (hands-free ?n)) (increase (total-cost) 1)))
  (:action put-to-bed
    :parameters (?n - nurse ?p - patient ?w - ward)
    :precondition (and (in ?n ?w) (pushes ?n ?p))
    :effect (and (in ?p ?w) (hands-free ?n) (not (pushes ?n ?p)) (not (gloved ?n)) (increase (total-cost) 1)))
  (:action take-gloves
    :parameters (?n - nurse)
    :precondition (and (in ?n pharmacy) (not (gloved ?n)))
    :effect (and (gloved ?n) (increase (total-cost) 1)))
  (:action take-drug
    :parameters (?n - nurse)
    :precondition (and (in ?n pharmacy) (hands-free ?n) (not (has-drug ?n)))
    :effect (and (has-drug ?n) (increase (total-cost) 1)))
  (:action give-drug
    :parameters (?n - nurse ?p - patient ?w - ward)
    :precondition (and (in ?n ?w) (in ?p ?w) (has-drug ?n))
    :effect (and (treated ?p) (not (has-drug ?n)) (increase (total-cost) 1))))
