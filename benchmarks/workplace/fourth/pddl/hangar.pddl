; Line checks of aircraft: mechanics book tools out of the crib, do the work behind the panels, close
; them and sign the papers in the office. A torque wrench is calibrated before each use.
(define (domain hangar)
  (:requirements :strips :typing :negative-preconditions)
  (:types place mechanic aircraft panel tool - object
          stand - place
          engine-panel gear-panel wing-panel - panel
          wrench borescope - tool
          torque-wrench - wrench)
  (:constants crib office - place)
  (:predicates
    (link ?x ?y - place)
    (door-shut ?x ?y - place)
    (at ?m - mechanic ?x - place)
    (hands-free ?m - mechanic)
    (carries ?m - mechanic ?t - tool)
    (in-crib ?t - tool)
    (left-at ?t - tool ?s - stand)
    (calibrated ?t - torque-wrench)
    (parked ?a - aircraft ?s - stand)
    (powered ?a - aircraft)
    (panel-of ?p - panel ?a - aircraft)
    (closed ?p - panel)
    (done ?p - panel)
    (signed ?p - panel))

  (:action walk
    :parameters (?m - mechanic ?x ?y - place)
    :precondition (and (at ?m ?x) (link ?x ?y) (not (door-shut ?x ?y)))
    :effect (and (at ?m ?y) (not (at ?m ?x))))

  (:action open-door
    :parameters (?m - mechanic ?x ?y - place)
    :precondition (and (at ?m ?x) (link ?x ?y) (door-shut ?x ?y))
    :effect (and (not (door-shut ?x ?y)) (not (door-shut ?y ?x))))

  (:action book-out
    :parameters (?m - mechanic ?t - tool)
    :precondition (and (at ?m crib) (in-crib ?t) (hands-free ?m))
    :effect (and (carries ?m ?t) (not (in-crib ?t)) (not (hands-free ?m))))

  (:action book-in
    :parameters (?m - mechanic ?t - tool)
    :precondition (and (at ?m crib) (carries ?m ?t))
    :effect (and (in-crib ?t) (hands-free ?m) (not (carries ?m ?t))))

  (:action collect
    :parameters (?m - mechanic ?t - tool ?s - stand)
    :precondition (and (at ?m ?s) (left-at ?t ?s) (hands-free ?m))
    :effect (and (carries ?m ?t) (not (left-at ?t ?s)) (not (hands-free ?m))))

  (:action calibrate
    :parameters (?m - mechanic ?t - torque-wrench)
    :precondition (and (at ?m crib) (carries ?m ?t) (not (calibrated ?t)))
    :effect (calibrated ?t))

  (:action switch-off
    :parameters (?m - mechanic ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (powered ?a))
    :effect (not (powered ?a)))

  (:action open-panel
    :parameters (?m - mechanic ?p - panel ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (panel-of ?p ?a) (closed ?p) (not (powered ?a)))
    :effect (not (closed ?p)))

  (:action tighten
    :parameters (?m - mechanic ?p - gear-panel ?t - wrench ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (panel-of ?p ?a) (carries ?m ?t)
                       (not (closed ?p)) (not (done ?p)))
    :effect (done ?p))

  (:action torque
    :parameters (?m - mechanic ?p - engine-panel ?t - torque-wrench ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (panel-of ?p ?a) (carries ?m ?t) (calibrated ?t)
                       (not (closed ?p)) (not (done ?p)))
    :effect (and (done ?p) (not (calibrated ?t))))

  (:action inspect
    :parameters (?m - mechanic ?p - wing-panel ?t - borescope ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (panel-of ?p ?a) (carries ?m ?t)
                       (not (closed ?p)) (not (done ?p)))
    :effect (done ?p))

  (:action close-panel
    :parameters (?m - mechanic ?p - panel ?a - aircraft ?s - stand)
    :precondition (and (at ?m ?s) (parked ?a ?s) (panel-of ?p ?a) (done ?p) (not (closed ?p)))
    :effect (closed ?p))

  (:action sign
    :parameters (?m - mechanic ?p - panel)
    :precondition (and (at ?m office) (done ?p) (closed ?p) (not (signed ?p)))
    :effect (signed ?p))
)
