; Crates stand in stacks on pallets; hoists lift them, trucks carry them between places.
(define (domain depots)
  (:requirements :typing)
  (:types place locatable - object depot distributor - place
          truck hoist surface - locatable pallet crate - surface)
  (:predicates
    (at ?what - locatable ?where - place) (on ?crate - crate ?below - surface)
    (in ?crate - crate ?truck - truck) (lifting ?hoist - hoist ?crate - crate)
    (available ?hoist - hoist) (clear ?surface - surface))
  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (at ?truck ?from)
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))
  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?below - surface ?place - place)
    :precondition (and (at ?hoist ?place) (available ?hoist) (at ?crate ?place)
                       (on ?crate ?below) (clear ?crate))
    :effect (and (not (at ?crate ?place)) (lifting ?hoist ?crate) (not (clear ?crate))
                 (not (available ?hoist)) (clear ?below) (not (on ?crate ?below))))
  (:action drop
    :parameters (?hoist - hoist ?crate - crate ?below - surface ?place - place)
    :precondition (and (at ?hoist ?place) (at ?below ?place) (clear ?below)
                       (lifting ?hoist ?crate))
    :effect (and (available ?hoist) (not (lifting ?hoist ?crate)) (at ?crate ?place)
                 (not (clear ?below)) (clear ?crate) (on ?crate ?below)))
  (:action load
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (at ?truck ?place) (lifting ?hoist ?crate))
    :effect (and (not (lifting ?hoist ?crate)) (in ?crate ?truck) (available ?hoist)))
  (:action unload
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (at ?truck ?place) (available ?hoist)
                       (in ?crate ?truck))
    :effect (and (not (in ?crate ?truck)) (not (available ?hoist)) (lifting ?hoist ?crate))))
