; Aircraft carry people between cities; each flight burns one level of fuel, zooming two.
(define (domain zenotravel)
  (:requirements :typing)
  (:types aircraft person city flevel - object)
  (:predicates
    (at ?what - (either person aircraft) ?city - city)
    (in ?who - person ?plane - aircraft)
    (fuel-level ?plane - aircraft ?level - flevel) (next ?lower ?higher - flevel))
  (:action board
    :parameters (?who - person ?plane - aircraft ?city - city)
    :precondition (and (at ?who ?city) (at ?plane ?city))
    :effect (and (not (at ?who ?city)) (in ?who ?plane)))
  (:action debark
    :parameters (?who - person ?plane - aircraft ?city - city)
    :precondition (and (in ?who ?plane) (at ?plane ?city))
    :effect (and (not (in ?who ?plane)) (at ?who ?city)))
  (:action fly
    :parameters (?plane - aircraft ?from ?to - city ?high ?low - flevel)
    :precondition (and (at ?plane ?from) (fuel-level ?plane ?high) (next ?low ?high))
    :effect (and (not (at ?plane ?from)) (at ?plane ?to)
                 (not (fuel-level ?plane ?high)) (fuel-level ?plane ?low)))
  (:action zoom
    :parameters (?plane - aircraft ?from ?to - city ?high ?middle ?low - flevel)
    :precondition (and (at ?plane ?from) (fuel-level ?plane ?high)
                       (next ?middle ?high) (next ?low ?middle))
    :effect (and (not (at ?plane ?from)) (at ?plane ?to)
                 (not (fuel-level ?plane ?high)) (fuel-level ?plane ?low)))
  (:action refuel
    :parameters (?plane - aircraft ?city - city ?low ?high - flevel)
    :precondition (and (at ?plane ?city) (fuel-level ?plane ?low) (next ?low ?high))
    :effect (and (not (fuel-level ?plane ?low)) (fuel-level ?plane ?high))))
