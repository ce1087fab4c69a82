; Slow lifts serve their block of floors, fast ones every few floors; seats are counted.
(define (domain elevators)
  (:requirements :typing :action-costs)
  (:types elevator passenger count - object slow-elevator fast-elevator - elevator)
  (:predicates
    (passenger-at ?who - passenger ?floor - count) (boarded ?who - passenger ?lift - elevator)
    (lift-at ?lift - elevator ?floor - count) (reachable-floor ?lift - elevator ?floor - count)
    (above ?low ?high - count) (passengers ?lift - elevator ?n - count)
    (can-hold ?lift - elevator ?n - count) (next ?n1 ?n2 - count))
  (:functions (total-cost) - number)
  (:action move-up-slow
    :parameters (?lift - slow-elevator ?from ?to - count)
    :precondition (and (lift-at ?lift ?from) (above ?from ?to) (reachable-floor ?lift ?to))
    :effect (and (lift-at ?lift ?to) (not (lift-at ?lift ?from))
                 (increase (total-cost) 6)))
  (:action move-down-slow
    :parameters (?lift - slow-elevator ?from ?to - count)
    :precondition (and (lift-at ?lift ?from) (above ?to ?from) (reachable-floor ?lift ?to))
    :effect (and (lift-at ?lift ?to) (not (lift-at ?lift ?from))
                 (increase (total-cost) 6)))
  (:action move-up-fast
    :parameters (?lift - fast-elevator ?from ?to - count)
    :precondition (and (lift-at ?lift ?from) (above ?from ?to) (reachable-floor ?lift ?to))
    :effect (and (lift-at ?lift ?to) (not (lift-at ?lift ?from))
                 (increase (total-cost) 3)))
  (:action move-down-fast
    :parameters (?lift - fast-elevator ?from ?to - count)
    :precondition (and (lift-at ?lift ?from) (above ?to ?from) (reachable-floor ?lift ?to))
    :effect (and (lift-at ?lift ?to) (not (lift-at ?lift ?from))
                 (increase (total-cost) 3)))
  (:action board
    :parameters (?who - passenger ?lift - elevator ?floor ?n1 ?n2 - count)
    :precondition (and (lift-at ?lift ?floor) (passenger-at ?who ?floor) (passengers ?lift ?n1)
                       (next ?n1 ?n2) (can-hold ?lift ?n2))
    :effect (and (not (passenger-at ?who ?floor)) (boarded ?who ?lift)
                 (not (passengers ?lift ?n1)) (passengers ?lift ?n2)))
  (:action leave
    :parameters (?who - passenger ?lift - elevator ?floor ?n1 ?n2 - count)
    :precondition (and (lift-at ?lift ?floor) (boarded ?who ?lift) (passengers ?lift ?n1)
                       (next ?n2 ?n1))
    :effect (and (passenger-at ?who ?floor) (not (boarded ?who ?lift))
                 (not (passengers ?lift ?n1)) (passengers ?lift ?n2))))
