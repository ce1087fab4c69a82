; One van on a grid brings packages, one at a time, to their cells.
(define (domain courier)
  (:requirements :typing)
  (:types cell locatable - object package truck - locatable)
  (:predicates (adjacent ?one ?other - cell) (at ?what - locatable ?cell - cell)
    (carrying ?truck - truck ?package - package) (empty ?truck - truck))
  (:action pick-package
    :parameters (?truck - truck ?package - package ?cell - cell)
    :precondition (and (at ?package ?cell) (at ?truck ?cell) (empty ?truck))
    :effect (and (not (at ?package ?cell)) (not (empty ?truck)) (carrying ?truck ?package)))
  (:action drop-package
    :parameters (?truck - truck ?package - package ?cell - cell)
    :precondition (and (at ?truck ?cell) (carrying ?truck ?package))
    :effect (and (empty ?truck) (not (carrying ?truck ?package)) (at ?package ?cell)))
  (:action move
    :parameters (?truck - truck ?from ?to - cell)
    :precondition (and (adjacent ?from ?to) (at ?truck ?from))
    :effect (and (at ?truck ?to) (not (at ?truck ?from)))))
