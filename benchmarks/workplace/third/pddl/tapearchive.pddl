; A tape library: one robot on rails with two hands, drives that must be cleaned
; with a cleaning cartridge after every session, write protection tabs.
(define (domain tapearchive)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types station slot cartridge drive hand file - object
          data-tape cleaning-tape - cartridge)
  (:predicates
    (rail ?a ?b - station)
    (robot-at ?n - station)
    (slot-at ?s - slot ?n - station)
    (drive-at ?d - drive ?n - station)
    (home ?t - cartridge ?s - slot)
    (in-slot ?t - cartridge ?s - slot)
    (holds ?h - hand ?t - cartridge)
    (hand-free ?h - hand)
    (in-drive ?t - cartridge ?d - drive)
    (drive-empty ?d - drive)
    (dirty ?d - drive)
    (fits ?t - data-tape ?d - drive)
    (threaded ?t - data-tape ?d - drive)
    (protected ?t - data-tape)
    (recorded ?f - file ?t - data-tape)
    (staged ?f - file)
    (restored ?f - file))
  (:functions (total-cost) - number)

  (:action roll
    :parameters (?a ?b - station)
    :precondition (and (robot-at ?a) (rail ?a ?b))
    :effect (and (robot-at ?b) (not (robot-at ?a)) (increase (total-cost) 3)))

  (:action grab
    :parameters (?h - hand ?t - cartridge ?s - slot ?n - station)
    :precondition (and (robot-at ?n) (slot-at ?s ?n) (in-slot ?t ?s) (hand-free ?h))
    :effect (and (holds ?h ?t) (not (in-slot ?t ?s)) (not (hand-free ?h))
                 (increase (total-cost) 1)))

  (:action stow
    :parameters (?h - hand ?t - cartridge ?s - slot ?n - station)
    :precondition (and (robot-at ?n) (slot-at ?s ?n) (holds ?h ?t) (home ?t ?s))
    :effect (and (in-slot ?t ?s) (hand-free ?h) (not (holds ?h ?t))
                 (increase (total-cost) 1)))

  (:action insert
    :parameters (?h - hand ?t - cartridge ?d - drive ?n - station)
    :precondition (and (robot-at ?n) (drive-at ?d ?n) (holds ?h ?t) (drive-empty ?d))
    :effect (and (in-drive ?t ?d) (hand-free ?h) (not (holds ?h ?t))
                 (not (drive-empty ?d)) (increase (total-cost) 1)))

  (:action take-data-tape
    :parameters (?h - hand ?t - data-tape ?d - drive ?n - station)
    :precondition (and (robot-at ?n) (drive-at ?d ?n) (in-drive ?t ?d)
                       (not (threaded ?t ?d)) (hand-free ?h))
    :effect (and (holds ?h ?t) (drive-empty ?d) (not (in-drive ?t ?d))
                 (not (hand-free ?h)) (increase (total-cost) 1)))

  (:action take-cleaning-tape
    :parameters (?h - hand ?t - cleaning-tape ?d - drive ?n - station)
    :precondition (and (robot-at ?n) (drive-at ?d ?n) (in-drive ?t ?d) (hand-free ?h))
    :effect (and (holds ?h ?t) (drive-empty ?d) (not (in-drive ?t ?d))
                 (not (hand-free ?h)) (increase (total-cost) 1)))

  (:action thread
    :parameters (?t - data-tape ?d - drive)
    :precondition (and (in-drive ?t ?d) (fits ?t ?d) (not (dirty ?d))
                       (not (threaded ?t ?d)))
    :effect (and (threaded ?t ?d) (increase (total-cost) 2)))

  (:action rewind
    :parameters (?t - data-tape ?d - drive)
    :precondition (and (threaded ?t ?d))
    :effect (and (dirty ?d) (not (threaded ?t ?d)) (increase (total-cost) 4)))

  (:action restore-file
    :parameters (?f - file ?t - data-tape ?d - drive)
    :precondition (and (threaded ?t ?d) (recorded ?f ?t))
    :effect (and (restored ?f) (increase (total-cost) 5)))

  (:action archive-file
    :parameters (?f - file ?t - data-tape ?d - drive)
    :precondition (and (threaded ?t ?d) (staged ?f) (not (protected ?t)))
    :effect (and (recorded ?f ?t) (increase (total-cost) 6)))

  (:action run-cleaning
    :parameters (?t - cleaning-tape ?d - drive)
    :precondition (and (in-drive ?t ?d) (dirty ?d))
    :effect (and (not (dirty ?d)) (increase (total-cost) 3)))

  (:action open-tab
    :parameters (?h - hand ?t - data-tape)
    :precondition (and (holds ?h ?t) (protected ?t))
    :effect (and (not (protected ?t)) (increase (total-cost) 1)))

  (:action close-tab
    :parameters (?h - hand ?t - data-tape)
    :precondition (and (holds ?h ?t) (not (protected ?t)))
    :effect (and (protected ?t) (increase (total-cost) 1)))
)
