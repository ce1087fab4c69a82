; Sewers are filmed by robots that crawl from manhole to manhole. Streets follow the sewers, which form a
; tree. A manhole is fenced off, opened and tested for gas; silt is jetted away with water from the van.
(define (domain sewers)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place pipe van robot level - object
          manhole - place)
  (:constants yard - place
              empty full - level)
  (:predicates
    (street ?x ?y - place)
    (sewer ?p - pipe ?m ?n - manhole)
    (van-at ?v - van ?x - place)
    (hydrant ?x - place)
    (next ?a ?b - level)
    (tank ?v - van ?l - level)
    (cones-on ?v - van)
    (fenced ?m - manhole)
    (lid-on ?m - manhole)
    (tested ?m - manhole)
    (aboard ?r - robot ?v - van)
    (underground ?r - robot ?m - manhole)
    (silted ?p - pipe)
    (filmed ?p - pipe))
  (:functions (total-cost) - number)

  (:action drive
    :parameters (?v - van ?x ?y - place)
    :precondition (and (van-at ?v ?x) (street ?x ?y))
    :effect (and (van-at ?v ?y) (not (van-at ?v ?x)) (increase (total-cost) 5)))

  (:action fence-off
    :parameters (?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (cones-on ?v) (not (fenced ?m)))
    :effect (and (fenced ?m) (not (cones-on ?v)) (increase (total-cost) 2)))

  (:action clear-fence
    :parameters (?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (fenced ?m) (lid-on ?m) (not (cones-on ?v)))
    :effect (and (cones-on ?v) (not (fenced ?m)) (increase (total-cost) 2)))

  (:action lift-lid
    :parameters (?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (fenced ?m) (lid-on ?m))
    :effect (and (not (lid-on ?m)) (increase (total-cost) 1)))

  (:action put-lid
    :parameters (?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (not (lid-on ?m)))
    :effect (and (lid-on ?m) (not (tested ?m)) (increase (total-cost) 1)))

  (:action test-gas
    :parameters (?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (not (lid-on ?m)) (not (tested ?m)))
    :effect (and (tested ?m) (increase (total-cost) 1)))

  (:action lower-robot
    :parameters (?r - robot ?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (aboard ?r ?v) (tested ?m))
    :effect (and (underground ?r ?m) (not (aboard ?r ?v)) (increase (total-cost) 2)))

  (:action raise-robot
    :parameters (?r - robot ?v - van ?m - manhole)
    :precondition (and (van-at ?v ?m) (underground ?r ?m) (tested ?m))
    :effect (and (aboard ?r ?v) (not (underground ?r ?m)) (increase (total-cost) 2)))

  (:action crawl
    :parameters (?r - robot ?p - pipe ?m ?n - manhole)
    :precondition (and (underground ?r ?m) (sewer ?p ?m ?n) (not (silted ?p)))
    :effect (and (underground ?r ?n) (not (underground ?r ?m)) (increase (total-cost) 3)))

  (:action film
    :parameters (?r - robot ?p - pipe ?m ?n - manhole)
    :precondition (and (underground ?r ?m) (sewer ?p ?m ?n) (not (silted ?p)) (not (filmed ?p)))
    :effect (and (filmed ?p) (increase (total-cost) 4)))

  (:action jet
    :parameters (?v - van ?p - pipe ?m ?n - manhole ?less ?more - level)
    :precondition (and (van-at ?v ?m) (sewer ?p ?m ?n) (silted ?p) (not (lid-on ?m))
                       (tank ?v ?more) (next ?less ?more))
    :effect (and (tank ?v ?less) (not (tank ?v ?more)) (not (silted ?p))
                 (increase (total-cost) 4)))

  (:action refill
    :parameters (?v - van ?x - place ?l - level)
    :precondition (and (van-at ?v ?x) (hydrant ?x) (tank ?v ?l) (not (tank ?v full)))
    :effect (and (tank ?v full) (not (tank ?v ?l)) (increase (total-cost) 3)))
)
