; A projectionist copies films to the servers of halls, gets their licences, sweeps the halls and shows the films.
(define (domain cinema)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types place film - object
          hall - place)
  (:constants office - place)
  (:predicates
    (at ?x - place)
    (hands-free)
    (on-desk ?f - film)
    (holds ?f - film)
    (server-empty ?h - hall)
    (on-server ?f - film ?h - hall)
    (licensed ?f - film)
    (clean ?h - hall)
    (dark ?h - hall)
    (shown ?f - film ?h - hall))
  (:action walk
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (not (= ?from ?to)))
    :effect (and (at ?to) (not (at ?from))))
  (:action take-disk
    :parameters (?f - film)
    :precondition (and (at office) (on-desk ?f) (hands-free))
    :effect (and (holds ?f) (not (on-desk ?f)) (not (hands-free))))
  (:action return-disk
    :parameters (?f - film)
    :precondition (and (at office) (holds ?f))
    :effect (and (on-desk ?f) (hands-free) (not (holds ?f))))
  (:action get-licence
    :parameters (?f - film)
    :precondition (and (at office) (not (licensed ?f)))
    :effect (licensed ?f))
  (:action copy
    :parameters (?f - film ?h - hall)
    :precondition (and (at ?h) (holds ?f) (server-empty ?h))
    :effect (and (on-server ?f ?h) (not (server-empty ?h))))
  (:action delete
    :parameters (?f - film ?h - hall)
    :precondition (and (at ?h) (on-server ?f ?h))
    :effect (and (server-empty ?h) (not (on-server ?f ?h))))
  (:action sweep
    :parameters (?h - hall)
    :precondition (and (at ?h) (hands-free) (not (clean ?h)) (not (dark ?h)))
    :effect (clean ?h))
  (:action lights-down
    :parameters (?h - hall)
    :precondition (and (at ?h) (not (dark ?h)))
    :effect (dark ?h))
  (:action lights-up
    :parameters (?h - hall)
    :precondition (and (at ?h) (dark ?h))
    :effect (not (dark ?h)))
  (:action show
    :parameters (?f - film ?h - hall)
    :precondition (and (at ?h) (on-server ?f ?h) (licensed ?f) (clean ?h) (dark ?h))
    :effect (and (shown ?f ?h) (not (clean ?h)))))
