; Samples are spun, incubated and read. Each machine takes one sample; the centrifuge must be rinsed after each use.
(define (domain laboratory)
  (:requirements :strips :typing :negative-preconditions)
  (:types spot sample - object
          machine bench - spot
          centrifuge incubator reader - machine)
  (:constants freezer - bench)
  (:predicates
    (at ?s - sample ?x - spot)
    (held ?s - sample)
    (arm-empty)
    (vacant ?m - machine)
    (clean ?c - centrifuge)
    (frozen ?s - sample)
    (spun ?s - sample)
    (grown ?s - sample)
    (result ?s - sample)
    (stored ?s - sample))
  (:action take-from-bench
    :parameters (?s - sample ?b - bench)
    :precondition (and (at ?s ?b) (arm-empty))
    :effect (and (held ?s) (not (at ?s ?b)) (not (arm-empty))))
  (:action take-from-machine
    :parameters (?s - sample ?m - machine)
    :precondition (and (at ?s ?m) (arm-empty))
    :effect (and (held ?s) (vacant ?m) (not (at ?s ?m)) (not (arm-empty))))
  (:action put-on-bench
    :parameters (?s - sample ?b - bench)
    :precondition (held ?s)
    :effect (and (at ?s ?b) (arm-empty) (not (held ?s))))
  (:action insert
    :parameters (?s - sample ?m - machine)
    :precondition (and (held ?s) (vacant ?m))
    :effect (and (at ?s ?m) (arm-empty) (not (held ?s)) (not (vacant ?m))))
  (:action thaw
    :parameters (?s - sample)
    :precondition (and (held ?s) (frozen ?s))
    :effect (not (frozen ?s)))
  (:action rinse
    :parameters (?c - centrifuge)
    :precondition (and (vacant ?c) (not (clean ?c)))
    :effect (clean ?c))
  (:action spin
    :parameters (?s - sample ?c - centrifuge)
    :precondition (and (at ?s ?c) (clean ?c) (not (frozen ?s)))
    :effect (and (spun ?s) (not (clean ?c))))
  (:action incubate
    :parameters (?s - sample ?i - incubator)
    :precondition (and (at ?s ?i) (spun ?s))
    :effect (grown ?s))
  (:action read
    :parameters (?s - sample ?r - reader)
    :precondition (and (at ?s ?r) (grown ?s))
    :effect (result ?s))
  (:action archive
    :parameters (?s - sample)
    :precondition (and (held ?s) (result ?s))
    :effect (and (stored ?s) (arm-empty) (not (held ?s)))))
