; Parts are drilled and painted at stations, which must be set up for the part's size and colour, then inspected and shipped.
(define (domain factory)
  (:requirements :strips :typing :negative-preconditions)
  (:types location part cart size colour - object
          station - location
          drill-station paint-station - station)
  (:constants depot inspection - location)
  (:predicates
    (cart-at ?c - cart ?l - location)
    (part-at ?p - part ?l - location)
    (on ?p - part ?c - cart)
    (idle ?c - cart)
    (busy ?s - station)
    (fits ?p - part ?z - size)
    (wants ?p - part ?k - colour)
    (bit ?s - drill-station ?z - size)
    (paint ?s - paint-station ?k - colour)
    (drilled ?p - part)
    (painted ?p - part)
    (passed ?p - part)
    (shipped ?p - part))
  (:action drive
    :parameters (?c - cart ?from ?to - location)
    :precondition (and (cart-at ?c ?from) (not (= ?from ?to)))
    :effect (and (cart-at ?c ?to) (not (cart-at ?c ?from))))
  (:action load
    :parameters (?p - part ?c - cart ?l - location)
    :precondition (and (part-at ?p ?l) (cart-at ?c ?l) (idle ?c))
    :effect (and (on ?p ?c) (not (part-at ?p ?l)) (not (idle ?c))))
  (:action load-from-station
    :parameters (?p - part ?c - cart ?s - station)
    :precondition (and (part-at ?p ?s) (cart-at ?c ?s) (idle ?c) (busy ?s))
    :effect (and (on ?p ?c) (not (part-at ?p ?s)) (not (idle ?c)) (not (busy ?s))))
  (:action unload
    :parameters (?p - part ?c - cart)
    :precondition (and (on ?p ?c) (cart-at ?c inspection))
    :effect (and (part-at ?p inspection) (idle ?c) (not (on ?p ?c))))
  (:action unload-at-station
    :parameters (?p - part ?c - cart ?s - station)
    :precondition (and (on ?p ?c) (cart-at ?c ?s) (not (busy ?s)))
    :effect (and (part-at ?p ?s) (idle ?c) (busy ?s) (not (on ?p ?c))))
  (:action change-bit
    :parameters (?s - drill-station ?old ?new - size)
    :precondition (and (bit ?s ?old) (not (= ?old ?new)))
    :effect (and (bit ?s ?new) (not (bit ?s ?old))))
  (:action change-paint
    :parameters (?s - paint-station ?old ?new - colour)
    :precondition (and (paint ?s ?old) (not (busy ?s)) (not (= ?old ?new)))
    :effect (and (paint ?s ?new) (not (paint ?s ?old))))
  (:action drill
    :parameters (?p - part ?s - drill-station ?z - size)
    :precondition (and (part-at ?p ?s) (fits ?p ?z) (bit ?s ?z))
    :effect (drilled ?p))
  (:action spray
    :parameters (?p - part ?s - paint-station ?k - colour)
    :precondition (and (part-at ?p ?s) (drilled ?p) (wants ?p ?k) (paint ?s ?k))
    :effect (painted ?p))
  (:action inspect
    :parameters (?p - part)
    :precondition (and (part-at ?p inspection) (drilled ?p) (painted ?p))
    :effect (passed ?p))
  (:action ship
    :parameters (?p - part ?c - cart)
    :precondition (and (on ?p ?c) (cart-at ?c depot) (passed ?p))
    :effect (and (shipped ?p) (idle ?c) (not (on ?p ?c)))))
