; A truck buys goods at markets and stores them at the depot; amounts are levels of one scale.
(define (domain tpp)
  (:requirements :typing)
  (:types place locatable level - object depot market - place truck goods - locatable)
  (:predicates
    (at ?truck - truck ?place - place) (connected ?from ?to - place)
    (on-sale ?goods - goods ?market - market ?level - level)
    (ready-to-load ?goods - goods ?market - market ?level - level)
    (loaded ?goods - goods ?truck - truck ?level - level)
    (stored ?goods - goods ?level - level) (next ?higher ?lower - level))
  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (and (at ?truck ?from) (connected ?from ?to))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))
  (:action buy
    :parameters (?truck - truck ?goods - goods ?market - market ?l1 ?l2 ?l3 ?l4 - level)
    :precondition (and (at ?truck ?market) (on-sale ?goods ?market ?l2)
                       (ready-to-load ?goods ?market ?l3) (next ?l2 ?l1) (next ?l4 ?l3))
    :effect (and (on-sale ?goods ?market ?l1) (not (on-sale ?goods ?market ?l2))
                 (ready-to-load ?goods ?market ?l4) (not (ready-to-load ?goods ?market ?l3))))
  (:action load
    :parameters (?goods - goods ?truck - truck ?market - market ?l1 ?l2 ?l3 ?l4 - level)
    :precondition (and (at ?truck ?market) (loaded ?goods ?truck ?l3)
                       (ready-to-load ?goods ?market ?l2) (next ?l2 ?l1) (next ?l4 ?l3))
    :effect (and (loaded ?goods ?truck ?l4) (not (loaded ?goods ?truck ?l3))
                 (ready-to-load ?goods ?market ?l1) (not (ready-to-load ?goods ?market ?l2))))
  (:action unload
    :parameters (?goods - goods ?truck - truck ?depot - depot ?l1 ?l2 ?l3 ?l4 - level)
    :precondition (and (at ?truck ?depot) (loaded ?goods ?truck ?l2) (stored ?goods ?l3)
                       (next ?l2 ?l1) (next ?l4 ?l3))
    :effect (and (loaded ?goods ?truck ?l1) (not (loaded ?goods ?truck ?l2))
                 (stored ?goods ?l4) (not (stored ?goods ?l3)))))
