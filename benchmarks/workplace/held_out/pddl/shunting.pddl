; An engine on the lead track sorts wagons, one at a time, into departing trains. Tracks are dead ends: the wagon nearest to the points comes first.
(define (domain shunting)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types line wagon - object
          track - line
          siding departure - track)
  (:constants workshop - line
              spur - track)
  (:predicates
    (points-to ?l - line)
    (engine-free)
    (coupled ?w - wagon)
    (on ?w - wagon ?t - track)
    (nearest ?w - wagon ?t - track)
    (before ?w ?v - wagon)
    (innermost ?w - wagon)
    (empty ?t - track)
    (locked ?t - track)
    (tested ?w - wagon)
    (signed-off ?d - track))
  (:action set-points
    :parameters (?from ?to - line)
    :precondition (and (points-to ?from) (not (= ?from ?to)))
    :effect (and (points-to ?to) (not (points-to ?from))))
  (:action unlock
    :parameters (?t - track)
    :precondition (and (points-to ?t) (locked ?t))
    :effect (not (locked ?t)))
  (:action lock
    :parameters (?t - track)
    :precondition (and (points-to ?t) (not (locked ?t)))
    :effect (locked ?t))
  (:action pull
    :parameters (?w ?v - wagon ?t - track)
    :precondition (and (points-to ?t) (not (locked ?t)) (not (signed-off ?t)) (engine-free) (nearest ?w ?t) (on ?w ?t) (before ?w ?v))
    :effect (and (coupled ?w) (nearest ?v ?t) (not (on ?w ?t)) (not (before ?w ?v)) (not (nearest ?w ?t)) (not (engine-free))))
  (:action pull-last
    :parameters (?w - wagon ?t - track)
    :precondition (and (points-to ?t) (not (locked ?t)) (not (signed-off ?t)) (engine-free) (nearest ?w ?t) (on ?w ?t) (innermost ?w))
    :effect (and (coupled ?w) (empty ?t) (not (on ?w ?t)) (not (innermost ?w)) (not (nearest ?w ?t)) (not (engine-free))))
  (:action push
    :parameters (?w ?v - wagon ?t - track)
    :precondition (and (points-to ?t) (not (locked ?t)) (not (signed-off ?t)) (coupled ?w) (nearest ?v ?t))
    :effect (and (on ?w ?t) (nearest ?w ?t) (before ?w ?v) (engine-free) (not (nearest ?v ?t)) (not (coupled ?w))))
  (:action push-first
    :parameters (?w - wagon ?t - track)
    :precondition (and (points-to ?t) (not (locked ?t)) (not (signed-off ?t)) (coupled ?w) (empty ?t))
    :effect (and (on ?w ?t) (nearest ?w ?t) (innermost ?w) (engine-free) (not (empty ?t)) (not (coupled ?w))))
  (:action test-brakes
    :parameters (?w - wagon)
    :precondition (and (points-to workshop) (coupled ?w) (not (tested ?w)))
    :effect (tested ?w))
  (:action sign-off
    :parameters (?d - departure)
    :precondition (and (engine-free) (not (signed-off ?d)))
    :effect (signed-off ?d)))
