; Blocks that are moved in one action, without a hand.
(define (domain blocks3ops)
  (:requirements :typing :equality :negative-preconditions)
  (:types block - object)
  (:predicates (on ?x ?y - block) (on-table ?x - block) (clear ?x - block))
  (:action move-b-to-b
    :parameters (?x ?from ?to - block)
    :precondition (and (clear ?x) (clear ?to) (on ?x ?from) (not (= ?from ?to)))
    :effect (and (not (on ?x ?from)) (on ?x ?to) (not (clear ?to)) (clear ?from)))
  (:action move-b-to-t
    :parameters (?x ?from - block)
    :precondition (and (clear ?x) (on ?x ?from))
    :effect (and (not (on ?x ?from)) (on-table ?x) (clear ?from)))
  (:action move-t-to-b
    :parameters (?x ?to - block)
    :precondition (and (clear ?x) (clear ?to) (on-table ?x) (not (= ?x ?to)))
    :effect (and (not (on-table ?x)) (on ?x ?to) (not (clear ?to)))))
