; Like Maintenance of IPC 2014: a crew's shift serves all planes that are at its airport that day.
(define (domain maintenance-adl)
  (:requirements :adl)
  (:types plane airport day)
  (:predicates (visits ?p - plane ?d - day ?a - airport) (after ?d ?e - day) (today ?d - day)
    (crew-at ?a - airport) (rested) (served ?p - plane))
  (:action next-day
    :parameters (?d ?e - day)
    :precondition (and (today ?d) (after ?d ?e))
    :effect (and (not (today ?d)) (today ?e) (rested)))
  (:action fly-crew
    :parameters (?from ?to - airport)
    :precondition (and (crew-at ?from) (not (= ?from ?to)))
    :effect (and (not (crew-at ?from)) (crew-at ?to)))
  (:action work
    :parameters (?a - airport ?d - day)
    :precondition (and (crew-at ?a) (today ?d) (rested)
      (exists (?p - plane) (and (visits ?p ?d ?a) (not (served ?p)))))
    :effect (and (not (rested))
      (forall (?p - plane) (when (visits ?p ?d ?a) (served ?p))))))
