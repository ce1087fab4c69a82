; Openstacks of IPC 2008: an order takes a stack from its start until all of its products are made.
(define (domain openstacks-adl)
  (:requirements :adl)
  (:types order product count)
  (:predicates (includes ?o - order ?p - product) (waiting ?o - order) (started ?o - order)
    (shipped ?o - order) (made ?p - product) (stacks-avail ?n - count) (next-count ?n ?m - count))
  (:action open-stack
    :parameters (?open ?new - count)
    :precondition (and (stacks-avail ?open) (next-count ?open ?new))
    :effect (and (not (stacks-avail ?open)) (stacks-avail ?new)))
  (:action start-order
    :parameters (?o - order ?avail ?new - count)
    :precondition (and (waiting ?o) (stacks-avail ?avail) (next-count ?new ?avail))
    :effect (and (not (waiting ?o)) (started ?o) (not (stacks-avail ?avail)) (stacks-avail ?new)))
  (:action make-product
    :parameters (?p - product)
    :precondition (and (not (made ?p))
      (forall (?o - order) (imply (includes ?o ?p) (started ?o))))
    :effect (made ?p))
  (:action ship-order
    :parameters (?o - order ?avail ?new - count)
    :precondition (and (started ?o) (stacks-avail ?avail) (next-count ?avail ?new)
      (forall (?p - product) (imply (includes ?o ?p) (made ?p))))
    :effect (and (not (started ?o)) (shipped ?o) (not (stacks-avail ?avail)) (stacks-avail ?new))))
