; Prescriptions are checked, made up and handed over. Narcotics lie in the safe and need the check of a second pharmacist.
(define (domain pharmacy)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types person drug prescription - object
          pharmacist customer - person
          tablet ointment narcotic - drug)
  (:predicates
    (asks ?r - prescription ?d - drug)
    (belongs ?r - prescription ?c - customer)
    (checked ?r - prescription ?p - pharmacist)
    (countersigned ?r - prescription)
    (in-stock ?d - drug)
    (safe-open)
    (mortar-clean)
    (made-up ?r - prescription)
    (labelled ?r - prescription)
    (handed ?r - prescription ?c - customer))
  (:action check
    :parameters (?p - pharmacist ?r - prescription)
    :precondition (not (checked ?r ?p))
    :effect (checked ?r ?p))
  (:action countersign
    :parameters (?p ?q - pharmacist ?r - prescription ?d - narcotic)
    :precondition (and (asks ?r ?d) (checked ?r ?p) (checked ?r ?q) (not (= ?p ?q)))
    :effect (countersigned ?r))
  (:action restock
    :parameters (?d - drug)
    :precondition (not (in-stock ?d))
    :effect (in-stock ?d))
  (:action open-safe
    :parameters ()
    :precondition (not (safe-open))
    :effect (safe-open))
  (:action close-safe
    :parameters ()
    :precondition (safe-open)
    :effect (not (safe-open)))
  (:action count-out
    :parameters (?p - pharmacist ?r - prescription ?d - tablet)
    :precondition (and (asks ?r ?d) (checked ?r ?p) (in-stock ?d))
    :effect (and (made-up ?r) (not (in-stock ?d))))
  (:action take-from-safe
    :parameters (?r - prescription ?d - narcotic)
    :precondition (and (asks ?r ?d) (countersigned ?r) (in-stock ?d) (safe-open))
    :effect (and (made-up ?r) (not (in-stock ?d))))
  (:action scrub-mortar
    :parameters ()
    :precondition (not (mortar-clean))
    :effect (mortar-clean))
  (:action mix
    :parameters (?p - pharmacist ?r - prescription ?d - ointment)
    :precondition (and (asks ?r ?d) (checked ?r ?p) (in-stock ?d) (mortar-clean))
    :effect (and (made-up ?r) (not (in-stock ?d)) (not (mortar-clean))))
  (:action label
    :parameters (?r - prescription)
    :precondition (and (made-up ?r) (not (labelled ?r)))
    :effect (labelled ?r))
  (:action hand-over
    :parameters (?r - prescription ?c - customer)
    :precondition (and (labelled ?r) (belongs ?r ?c) (not (safe-open)))
    :effect (handed ?r ?c)))
