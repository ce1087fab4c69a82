; A dental practice: chairs to disinfect, instruments that go from the cabinet
; to the patient, to the sink, through the autoclave and back.
(define (domain dental)
  (:requirements :strips :typing :negative-preconditions)
  (:types patient surgery instrument autoclave lamp treatment - object
          probe drill forceps - instrument)
  (:constants checkup filling extraction - treatment)
  (:predicates
    (needs ?p - patient ?t - treatment)
    (suits ?r - surgery ?t - treatment)
    (waiting ?p - patient)
    (seated ?p - patient ?r - surgery)
    (chair-free ?r - surgery)
    (disinfected ?r - surgery)
    (numb ?p - patient)
    (examined ?p - patient)
    (drilled ?p - patient)
    (treated ?p - patient)
    (gone-home ?p - patient)
    (sterile ?i - instrument)
    (in-cabinet ?i - instrument)
    (laid-out ?i - instrument ?r - surgery)
    (in-sink ?i - instrument)
    (inside ?i - instrument ?a - autoclave)
    (autoclave-empty ?a - autoclave)
    (charged ?l - lamp))

  (:action call-in
    :parameters (?p - patient ?r - surgery ?t - treatment)
    :precondition (and (waiting ?p) (needs ?p ?t) (suits ?r ?t)
                       (chair-free ?r) (disinfected ?r))
    :effect (and (seated ?p ?r) (not (waiting ?p)) (not (chair-free ?r))
                 (not (disinfected ?r))))

  (:action lay-out
    :parameters (?i - instrument ?r - surgery)
    :precondition (and (in-cabinet ?i) (sterile ?i))
    :effect (and (laid-out ?i ?r) (not (in-cabinet ?i))))

  (:action examine
    :parameters (?p - patient ?r - surgery ?i - probe)
    :precondition (and (seated ?p ?r) (laid-out ?i ?r) (sterile ?i)
                       (not (examined ?p)))
    :effect (and (examined ?p) (not (sterile ?i))))

  (:action inject
    :parameters (?p - patient ?r - surgery)
    :precondition (and (seated ?p ?r) (examined ?p) (not (numb ?p)))
    :effect (and (numb ?p)))

  (:action drill-tooth
    :parameters (?p - patient ?r - surgery ?i - drill)
    :precondition (and (seated ?p ?r) (needs ?p filling) (examined ?p) (numb ?p)
                       (laid-out ?i ?r) (sterile ?i) (not (drilled ?p)))
    :effect (and (drilled ?p) (not (sterile ?i))))

  (:action fill-tooth
    :parameters (?p - patient ?r - surgery ?l - lamp)
    :precondition (and (seated ?p ?r) (drilled ?p) (charged ?l))
    :effect (and (treated ?p) (not (charged ?l))))

  (:action charge-lamp
    :parameters (?l - lamp)
    :precondition (and (not (charged ?l)))
    :effect (and (charged ?l)))

  (:action pull-tooth
    :parameters (?p - patient ?r - surgery ?i - forceps)
    :precondition (and (seated ?p ?r) (needs ?p extraction) (examined ?p) (numb ?p)
                       (laid-out ?i ?r) (sterile ?i) (not (treated ?p)))
    :effect (and (treated ?p) (not (sterile ?i))))

  (:action advise
    :parameters (?p - patient ?r - surgery)
    :precondition (and (seated ?p ?r) (needs ?p checkup) (examined ?p))
    :effect (and (treated ?p)))

  (:action send-home
    :parameters (?p - patient ?r - surgery)
    :precondition (and (seated ?p ?r) (treated ?p))
    :effect (and (gone-home ?p) (chair-free ?r) (not (seated ?p ?r))))

  (:action disinfect
    :parameters (?r - surgery)
    :precondition (and (chair-free ?r) (not (disinfected ?r)))
    :effect (and (disinfected ?r)))

  (:action clear-away
    :parameters (?i - instrument ?r - surgery)
    :precondition (and (laid-out ?i ?r))
    :effect (and (in-sink ?i) (not (laid-out ?i ?r)) (not (sterile ?i))))

  (:action load-autoclave
    :parameters (?i - instrument ?a - autoclave)
    :precondition (and (in-sink ?i) (autoclave-empty ?a))
    :effect (and (inside ?i ?a) (not (in-sink ?i)) (not (autoclave-empty ?a))))

  (:action run-autoclave
    :parameters (?i - instrument ?a - autoclave)
    :precondition (and (inside ?i ?a) (not (sterile ?i)))
    :effect (and (sterile ?i)))

  (:action put-away
    :parameters (?i - instrument ?a - autoclave)
    :precondition (and (inside ?i ?a) (sterile ?i))
    :effect (and (in-cabinet ?i) (autoclave-empty ?a) (not (inside ?i ?a))))
)
