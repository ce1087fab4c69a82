; Failing disks are replaced: drain the server's jobs to servers with a free slot, power it off, swap the disk, power it on.
(define (domain datacentre)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types room server job disk technician slot - object)
  (:constants store - room)
  (:predicates
    (in ?s - server ?r - room)
    (at ?t - technician ?r - room)
    (runs ?j - job ?s - server)
    (slot-of ?x - slot ?s - server)
    (uses ?j - job ?x - slot)
    (open-slot ?x - slot)
    (off ?s - server)
    (broken ?s - server)
    (no-disk ?s - server)
    (spare ?d - disk)
    (carries ?t - technician ?d - disk)
    (hands-free ?t - technician)
    (healthy ?s - server))
  (:functions (total-cost) - number)
  (:action walk
    :parameters (?t - technician ?from ?to - room)
    :precondition (and (at ?t ?from) (not (= ?from ?to)))
    :effect (and (at ?t ?to) (not (at ?t ?from)) (increase (total-cost) 3)))
  (:action fetch-disk
    :parameters (?t - technician ?d - disk)
    :precondition (and (at ?t store) (spare ?d) (hands-free ?t))
    :effect (and (carries ?t ?d) (not (spare ?d)) (not (hands-free ?t)) (increase (total-cost) 1)))
  (:action migrate
    :parameters (?j - job ?from ?to - server ?x ?y - slot)
    :precondition (and (runs ?j ?from) (uses ?j ?x) (slot-of ?x ?from) (slot-of ?y ?to) (open-slot ?y) (healthy ?to) (not (= ?from ?to)))
    :effect (and (runs ?j ?to) (uses ?j ?y) (open-slot ?x) (not (runs ?j ?from)) (not (uses ?j ?x)) (not (open-slot ?y)) (increase (total-cost) 2)))
  (:action power-off
    :parameters (?s - server ?x - slot)
    :precondition (and (broken ?s) (slot-of ?x ?s) (open-slot ?x) (not (off ?s)))
    :effect (and (off ?s) (increase (total-cost) 1)))
  (:action pull-disk
    :parameters (?t - technician ?s - server ?r - room)
    :precondition (and (at ?t ?r) (in ?s ?r) (off ?s) (broken ?s) (hands-free ?t))
    :effect (and (no-disk ?s) (not (broken ?s)) (increase (total-cost) 1)))
  (:action insert-disk
    :parameters (?t - technician ?d - disk ?s - server ?r - room)
    :precondition (and (at ?t ?r) (in ?s ?r) (off ?s) (no-disk ?s) (carries ?t ?d))
    :effect (and (healthy ?s) (hands-free ?t) (not (no-disk ?s)) (not (carries ?t ?d)) (increase (total-cost) 1)))
  (:action power-on
    :parameters (?s - server)
    :precondition (and (off ?s) (healthy ?s))
    :effect (and (not (off ?s)) (increase (total-cost) 1))))
