; Drivers walk along paths, trucks drive along links, packages ride in trucks.
(define (domain driverlog)
  (:requirements :typing)
  (:types location locatable - object driver truck obj - locatable)
  (:predicates
    (at ?what - locatable ?where - location) (in ?what - obj ?truck - truck)
    (driving ?who - driver ?truck - truck) (empty ?truck - truck)
    (link ?from ?to - location) (path ?from ?to - location))
  (:action load-truck
    :parameters (?obj - obj ?truck - truck ?loc - location)
    :precondition (and (at ?truck ?loc) (at ?obj ?loc))
    :effect (and (not (at ?obj ?loc)) (in ?obj ?truck)))
  (:action unload-truck
    :parameters (?obj - obj ?truck - truck ?loc - location)
    :precondition (and (at ?truck ?loc) (in ?obj ?truck))
    :effect (and (not (in ?obj ?truck)) (at ?obj ?loc)))
  (:action board-truck
    :parameters (?driver - driver ?truck - truck ?loc - location)
    :precondition (and (at ?truck ?loc) (at ?driver ?loc) (empty ?truck))
    :effect (and (not (at ?driver ?loc)) (driving ?driver ?truck) (not (empty ?truck))))
  (:action disembark-truck
    :parameters (?driver - driver ?truck - truck ?loc - location)
    :precondition (and (at ?truck ?loc) (driving ?driver ?truck))
    :effect (and (not (driving ?driver ?truck)) (at ?driver ?loc) (empty ?truck)))
  (:action drive-truck
    :parameters (?truck - truck ?from ?to - location ?driver - driver)
    :precondition (and (at ?truck ?from) (driving ?driver ?truck) (link ?from ?to))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)))
  (:action walk
    :parameters (?driver - driver ?from ?to - location)
    :precondition (and (at ?driver ?from) (path ?from ?to))
    :effect (and (not (at ?driver ?from)) (at ?driver ?to))))
