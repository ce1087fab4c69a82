; Repair of machines under lockout: stop the machine, switch off what feeds it, hang padlocks, open a
; permit, repair behind the guard, and all the way back. What is safe is said by negation only.
(define (domain lockout)
  (:requirements :strips :typing :negative-preconditions)
  (:types machine isolator padlock - object
          conveyor press - machine
          breaker valve - isolator)
  (:predicates
    (feeds ?i - isolator ?m - machine)
    (running ?m - machine)
    (live ?i - isolator)
    (tagged ?i - isolator)
    (hangs ?p - padlock ?i - isolator)
    (used ?p - padlock)
    (pressurised ?m - press)
    (permit-open ?m - machine)
    (guard-off ?m - machine)
    (faulty ?m - machine)
    (repaired ?m - machine))

  (:action stop
    :parameters (?m - machine)
    :precondition (and (running ?m) (not (guard-off ?m)))
    :effect (not (running ?m)))

  (:action switch-off
    :parameters (?i - isolator ?m - machine)
    :precondition (and (feeds ?i ?m) (live ?i) (not (running ?m)))
    :effect (not (live ?i)))

  (:action hang-padlock
    :parameters (?p - padlock ?i - isolator)
    :precondition (and (not (used ?p)) (not (live ?i)) (not (tagged ?i)))
    :effect (and (hangs ?p ?i) (used ?p) (tagged ?i)))

  (:action bleed
    :parameters (?m - press ?v - valve)
    :precondition (and (feeds ?v ?m) (pressurised ?m) (not (live ?v)))
    :effect (not (pressurised ?m)))

  (:action open-conveyor-permit
    :parameters (?m - conveyor ?b - breaker)
    :precondition (and (feeds ?b ?m) (tagged ?b) (not (permit-open ?m)))
    :effect (permit-open ?m))

  (:action open-press-permit
    :parameters (?m - press ?b - breaker ?v - valve)
    :precondition (and (feeds ?b ?m) (feeds ?v ?m) (tagged ?b) (tagged ?v)
                       (not (pressurised ?m)) (not (permit-open ?m)))
    :effect (permit-open ?m))

  (:action take-off-guard
    :parameters (?m - machine)
    :precondition (and (permit-open ?m) (not (guard-off ?m)))
    :effect (guard-off ?m))

  (:action repair
    :parameters (?m - machine)
    :precondition (and (guard-off ?m) (faulty ?m) (not (running ?m)))
    :effect (and (repaired ?m) (not (faulty ?m))))

  (:action refit-guard
    :parameters (?m - machine)
    :precondition (and (guard-off ?m) (not (faulty ?m)))
    :effect (not (guard-off ?m)))

  (:action close-permit
    :parameters (?m - machine)
    :precondition (and (permit-open ?m) (not (guard-off ?m)))
    :effect (not (permit-open ?m)))

  (:action take-padlock
    :parameters (?p - padlock ?i - isolator ?m - machine)
    :precondition (and (hangs ?p ?i) (feeds ?i ?m) (not (permit-open ?m)))
    :effect (and (not (hangs ?p ?i)) (not (used ?p)) (not (tagged ?i))))

  (:action switch-on
    :parameters (?i - isolator)
    :precondition (and (not (live ?i)) (not (tagged ?i)))
    :effect (live ?i))

  (:action start-conveyor
    :parameters (?m - conveyor ?b - breaker)
    :precondition (and (feeds ?b ?m) (live ?b) (not (running ?m)) (not (faulty ?m)))
    :effect (running ?m))

  (:action start-press
    :parameters (?m - press ?b - breaker ?v - valve)
    :precondition (and (feeds ?b ?m) (feeds ?v ?m) (live ?b) (live ?v) (not (running ?m))
                       (not (faulty ?m)))
    :effect (and (running ?m) (pressurised ?m)))
)
