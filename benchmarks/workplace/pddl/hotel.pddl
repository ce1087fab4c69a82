; Rooms of a hotel get fresh sheets: strip the bed, wash and dry the sheets in the cellar, make the bed, clean the bath, check in the guest.
(define (domain hotel)
  (:requirements :strips :typing :negative-preconditions)
  (:types place sheet maid guest machine - object
          room - place
          suite - room
          washer dryer - machine)
  (:constants cellar desk - place)
  (:predicates
    (in ?m - maid ?x - place)
    (on-bed ?s - sheet ?r - room)
    (stripped ?r - room)
    (carries ?m - maid ?s - sheet)
    (hands-free ?m - maid)
    (inside ?s - sheet ?x - machine)
    (vacant ?x - machine)
    (used ?s - sheet)
    (wet ?s - sheet)
    (made ?r - room)
    (bath-clean ?r - room)
    (flowers ?r - suite)
    (booked ?g - guest ?r - room)
    (lodged ?g - guest))
  (:action walk
    :parameters (?m - maid ?from ?to - place)
    :precondition (and (in ?m ?from) (not (= ?from ?to)))
    :effect (and (in ?m ?to) (not (in ?m ?from))))
  (:action strip
    :parameters (?m - maid ?s - sheet ?r - room)
    :precondition (and (in ?m ?r) (on-bed ?s ?r) (used ?s) (hands-free ?m))
    :effect (and (carries ?m ?s) (stripped ?r) (not (on-bed ?s ?r)) (not (hands-free ?m))))
  (:action put-in
    :parameters (?m - maid ?s - sheet ?x - machine)
    :precondition (and (in ?m cellar) (carries ?m ?s) (vacant ?x))
    :effect (and (inside ?s ?x) (hands-free ?m) (not (carries ?m ?s)) (not (vacant ?x))))
  (:action take-out
    :parameters (?m - maid ?s - sheet ?x - machine)
    :precondition (and (in ?m cellar) (inside ?s ?x) (hands-free ?m))
    :effect (and (carries ?m ?s) (vacant ?x) (not (inside ?s ?x)) (not (hands-free ?m))))
  (:action wash
    :parameters (?s - sheet ?x - washer)
    :precondition (and (inside ?s ?x) (used ?s))
    :effect (and (wet ?s) (not (used ?s))))
  (:action dry
    :parameters (?s - sheet ?x - dryer)
    :precondition (and (inside ?s ?x) (wet ?s))
    :effect (not (wet ?s)))
  (:action make-bed
    :parameters (?m - maid ?s - sheet ?r - room)
    :precondition (and (in ?m ?r) (carries ?m ?s) (stripped ?r) (not (used ?s)) (not (wet ?s)))
    :effect (and (on-bed ?s ?r) (made ?r) (hands-free ?m) (not (stripped ?r)) (not (carries ?m ?s))))
  (:action clean-bath
    :parameters (?m - maid ?r - room)
    :precondition (and (in ?m ?r) (hands-free ?m))
    :effect (bath-clean ?r))
  (:action put-flowers
    :parameters (?m - maid ?r - suite)
    :precondition (and (in ?m ?r) (made ?r))
    :effect (flowers ?r))
  (:action check-in
    :parameters (?m - maid ?g - guest ?r - room)
    :precondition (and (in ?m desk) (booked ?g ?r) (made ?r) (bath-clean ?r))
    :effect (lodged ?g)))
