; Vans collect parcels in their city and bring them to its depot; trains run between depots; parcels are sorted at each depot.
(define (domain parcels)
  (:requirements :strips :typing :negative-preconditions)
  (:types city place vehicle parcel - object
          depot address - place
          van train - vehicle)
  (:predicates
    (in-city ?x - place ?c - city)
    (based ?v - van ?c - city)
    (at ?v - vehicle ?x - place)
    (parcel-at ?p - parcel ?x - place)
    (aboard ?p - parcel ?v - vehicle)
    (weighed ?p - parcel)
    (sorted ?p - parcel ?d - depot)
    (doors-open ?t - train)
    (delivered ?p - parcel ?x - address))
  (:action drive
    :parameters (?v - van ?from ?to - place ?c - city)
    :precondition (and (at ?v ?from) (based ?v ?c) (in-city ?from ?c) (in-city ?to ?c) (not (= ?from ?to)))
    :effect (and (at ?v ?to) (not (at ?v ?from))))
  (:action run
    :parameters (?t - train ?from ?to - depot)
    :precondition (and (at ?t ?from) (not (doors-open ?t)) (not (= ?from ?to)))
    :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action open-doors
    :parameters (?t - train)
    :precondition (not (doors-open ?t))
    :effect (doors-open ?t))
  (:action close-doors
    :parameters (?t - train)
    :precondition (doors-open ?t)
    :effect (not (doors-open ?t)))
  (:action collect
    :parameters (?p - parcel ?v - van ?x - place)
    :precondition (and (at ?v ?x) (parcel-at ?p ?x))
    :effect (and (aboard ?p ?v) (not (parcel-at ?p ?x))))
  (:action drop
    :parameters (?p - parcel ?v - van ?d - depot)
    :precondition (and (at ?v ?d) (aboard ?p ?v))
    :effect (and (parcel-at ?p ?d) (not (aboard ?p ?v))))
  (:action weigh
    :parameters (?p - parcel ?d - depot)
    :precondition (and (parcel-at ?p ?d) (not (weighed ?p)))
    :effect (weighed ?p))
  (:action sort
    :parameters (?p - parcel ?d - depot)
    :precondition (and (parcel-at ?p ?d) (weighed ?p))
    :effect (sorted ?p ?d))
  (:action load-train
    :parameters (?p - parcel ?t - train ?d - depot)
    :precondition (and (at ?t ?d) (doors-open ?t) (parcel-at ?p ?d) (sorted ?p ?d))
    :effect (and (aboard ?p ?t) (not (parcel-at ?p ?d))))
  (:action unload-train
    :parameters (?p - parcel ?t - train ?d - depot)
    :precondition (and (at ?t ?d) (doors-open ?t) (aboard ?p ?t))
    :effect (and (parcel-at ?p ?d) (not (aboard ?p ?t))))
  (:action deliver
    :parameters (?p - parcel ?v - van ?x - address)
    :precondition (and (at ?v ?x) (aboard ?p ?v) (weighed ?p))
    :effect (and (delivered ?p ?x) (not (aboard ?p ?v)))))
