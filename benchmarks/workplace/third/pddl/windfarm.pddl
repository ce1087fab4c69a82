; Inspection of wind turbines with two kinds of drones carried by vans.
; Photographs need a stopped turbine, thermal scans a spinning one; each flight
; drains a battery, batteries are charged at some sites.
(define (domain windfarm)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types site van drone battery turbine - object
          camera-drone thermal-drone - drone)
  (:constants base - site)
  (:predicates
    (road ?a ?b - site)
    (has-charger ?s - site)
    (van-at ?v - van ?s - site)
    (bay-free ?v - van)
    (crew-busy ?v - van)
    (drone-at ?d - drone ?s - site)
    (in-van ?d - drone ?v - van)
    (flying ?d - drone ?s - site)
    (battery-at ?b - battery ?s - site)
    (spare ?b - battery ?v - van)
    (installed ?b - battery ?d - drone)
    (powered ?d - drone)
    (charged ?b - battery)
    (turbine-at ?t - turbine ?s - site)
    (spinning ?t - turbine)
    (photographed ?t - turbine)
    (scanned ?t - turbine))
  (:functions (total-cost) - number)

  (:action drive
    :parameters (?v - van ?a ?b - site)
    :precondition (and (van-at ?v ?a) (road ?a ?b) (not (crew-busy ?v)))
    :effect (and (van-at ?v ?b) (not (van-at ?v ?a)) (increase (total-cost) 5)))

  (:action load-drone
    :parameters (?d - drone ?v - van)
    :precondition (and (van-at ?v base) (drone-at ?d base) (bay-free ?v))
    :effect (and (in-van ?d ?v) (not (drone-at ?d base)) (not (bay-free ?v))
                 (increase (total-cost) 1)))

  (:action unload-drone
    :parameters (?d - drone ?v - van)
    :precondition (and (van-at ?v base) (in-van ?d ?v))
    :effect (and (drone-at ?d base) (bay-free ?v) (not (in-van ?d ?v))
                 (increase (total-cost) 1)))

  (:action load-battery
    :parameters (?b - battery ?v - van)
    :precondition (and (van-at ?v base) (battery-at ?b base))
    :effect (and (spare ?b ?v) (not (battery-at ?b base)) (increase (total-cost) 1)))

  (:action charge-battery
    :parameters (?b - battery ?v - van ?s - site)
    :precondition (and (van-at ?v ?s) (has-charger ?s) (spare ?b ?v) (not (charged ?b)))
    :effect (and (charged ?b) (increase (total-cost) 6)))

  (:action insert-battery
    :parameters (?b - battery ?d - drone ?v - van)
    :precondition (and (in-van ?d ?v) (spare ?b ?v) (not (powered ?d)))
    :effect (and (installed ?b ?d) (powered ?d) (not (spare ?b ?v))
                 (increase (total-cost) 1)))

  (:action remove-battery
    :parameters (?b - battery ?d - drone ?v - van)
    :precondition (and (in-van ?d ?v) (installed ?b ?d))
    :effect (and (spare ?b ?v) (not (installed ?b ?d)) (not (powered ?d))
                 (increase (total-cost) 1)))

  (:action stop-turbine
    :parameters (?v - van ?t - turbine ?s - site)
    :precondition (and (van-at ?v ?s) (turbine-at ?t ?s) (spinning ?t))
    :effect (and (not (spinning ?t)) (increase (total-cost) 2)))

  (:action restart-turbine
    :parameters (?v - van ?t - turbine ?s - site)
    :precondition (and (van-at ?v ?s) (turbine-at ?t ?s) (not (spinning ?t)))
    :effect (and (spinning ?t) (increase (total-cost) 2)))

  (:action launch
    :parameters (?d - drone ?b - battery ?v - van ?s - site)
    :precondition (and (van-at ?v ?s) (in-van ?d ?v) (installed ?b ?d) (charged ?b)
                       (not (crew-busy ?v)))
    :effect (and (flying ?d ?s) (crew-busy ?v) (not (in-van ?d ?v))
                 (not (charged ?b)) (increase (total-cost) 2)))

  (:action photograph
    :parameters (?d - camera-drone ?t - turbine ?s - site)
    :precondition (and (flying ?d ?s) (turbine-at ?t ?s) (not (spinning ?t)))
    :effect (and (photographed ?t) (increase (total-cost) 1)))

  (:action thermal-scan
    :parameters (?d - thermal-drone ?t - turbine ?s - site)
    :precondition (and (flying ?d ?s) (turbine-at ?t ?s) (spinning ?t))
    :effect (and (scanned ?t) (increase (total-cost) 1)))

  (:action land
    :parameters (?d - drone ?v - van ?s - site)
    :precondition (and (flying ?d ?s) (van-at ?v ?s) (crew-busy ?v))
    :effect (and (in-van ?d ?v) (not (crew-busy ?v)) (not (flying ?d ?s))
                 (increase (total-cost) 1)))
)
