; Collect every reward of a grid in which some cells are blocked.
(define (domain reward)
  (:requirements :typing)
  (:types cell - object)
  (:predicates (at ?cell - cell) (reward ?cell - cell) (picked ?cell - cell)
    (unblocked ?cell - cell) (adjacent ?one ?other - cell))
  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (adjacent ?from ?to) (at ?from) (unblocked ?to))
    :effect (and (not (at ?from)) (at ?to)))
  (:action pick-reward
    :parameters (?cell - cell)
    :precondition (and (at ?cell) (reward ?cell))
    :effect (and (picked ?cell) (not (reward ?cell)))))
