; Tiles slide into the empty position.
(define (domain npuzzle)
  (:requirements :typing)
  (:types position tile - object)
  (:predicates (at ?tile - tile ?position - position) (neighbor ?p1 ?p2 - position)
    (empty ?position - position))
  (:action move
    :parameters (?tile - tile ?from ?to - position)
    :precondition (and (neighbor ?from ?to) (at ?tile ?from) (empty ?to))
    :effect (and (at ?tile ?to) (empty ?from) (not (at ?tile ?from)) (not (empty ?to)))))
