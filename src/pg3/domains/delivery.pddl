; Delivery: an agent takes papers from the home base to the locations that want one. It can carry
; any number of them and go from anywhere to anywhere, but never leaves a location that is not safe.
(define (domain trapnewspapers)
  (:requirements :strips :typing)

  (:types loc paper)

  (:predicates
    (at ?loc - loc)               ; the agent is here
    (isHomeBase ?loc - loc)
    (safe ?loc - loc)             ; no trap
    (wantsPaper ?loc - loc)
    (satisfied ?loc - loc)        ; got a paper
    (unpacked ?paper - paper)     ; still lies at the home base
    (carrying ?paper - paper))

  (:action pick-up
    :parameters (?paper - paper ?loc - loc)
    :precondition (and (at ?loc) (isHomeBase ?loc) (unpacked ?paper))
    :effect (and (carrying ?paper) (not (unpacked ?paper))))

  (:action move
    :parameters (?from - loc ?to - loc)
    :precondition (and (at ?from) (safe ?from))
    :effect (and (not (at ?from)) (at ?to)))

  (:action deliver
    :parameters (?paper - paper ?loc - loc)
    :precondition (and (at ?loc) (carrying ?paper))
    :effect (and (satisfied ?loc) (not (wantsPaper ?loc)) (not (carrying ?paper)))))
