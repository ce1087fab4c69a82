; Couples walk a trail of stages; a tent must stand at the next place, cars bring it there.
(define (domain hiking)
  (:requirements :typing :equality :negative-preconditions)
  (:types car tent person couple place - object)
  (:predicates (at-tent ?x - tent ?p - place) (at-person ?x - person ?p - place)
    (at-car ?x - car ?p - place) (partners ?c - couple ?x ?y - person) (up ?x - tent)
    (down ?x - tent) (walked ?c - couple ?p - place) (next ?p ?q - place))
  (:action put-down
    :parameters (?x - person ?p - place ?t - tent)
    :precondition (and (at-person ?x ?p) (at-tent ?t ?p) (up ?t))
    :effect (and (down ?t) (not (up ?t))))
  (:action put-up
    :parameters (?x - person ?p - place ?t - tent)
    :precondition (and (at-person ?x ?p) (at-tent ?t ?p) (down ?t))
    :effect (and (up ?t) (not (down ?t))))
  (:action drive
    :parameters (?x - person ?from ?to - place ?c - car)
    :precondition (and (at-person ?x ?from) (at-car ?c ?from) (not (= ?from ?to)))
    :effect (and (at-person ?x ?to) (not (at-person ?x ?from)) (at-car ?c ?to)
                 (not (at-car ?c ?from))))
  (:action drive-passenger
    :parameters (?x ?y - person ?from ?to - place ?c - car)
    :precondition (and (at-person ?x ?from) (at-person ?y ?from) (at-car ?c ?from)
                       (not (= ?x ?y)) (not (= ?from ?to)))
    :effect (and (at-person ?x ?to) (not (at-person ?x ?from)) (at-car ?c ?to)
                 (not (at-car ?c ?from)) (at-person ?y ?to) (not (at-person ?y ?from))))
  (:action drive-tent
    :parameters (?x - person ?from ?to - place ?c - car ?t - tent)
    :precondition (and (at-person ?x ?from) (at-car ?c ?from) (at-tent ?t ?from) (down ?t)
                       (not (= ?from ?to)))
    :effect (and (at-person ?x ?to) (not (at-person ?x ?from)) (at-car ?c ?to)
                 (not (at-car ?c ?from)) (at-tent ?t ?to) (not (at-tent ?t ?from))))
  (:action walk-together
    :parameters (?t - tent ?to ?from - place ?x ?y - person ?c - couple)
    :precondition (and (at-tent ?t ?to) (up ?t) (at-person ?x ?from) (at-person ?y ?from)
                       (next ?from ?to) (walked ?c ?from) (partners ?c ?x ?y))
    :effect (and (at-person ?x ?to) (not (at-person ?x ?from)) (at-person ?y ?to)
                 (not (at-person ?y ?from)) (walked ?c ?to) (not (walked ?c ?from)))))
