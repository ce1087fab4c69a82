; Rovers: rovers collect samples of soil and rock and take images, and send all of it to a lander that
; they can see from where they are. Each rover can traverse the ground between some waypoints only.
(define (domain rover)
  (:requirements :strips :typing)

  (:types rover waypoint store camera mode lander objective)

  (:predicates
    (at ?r - rover ?w - waypoint)
    (at_lander ?l - lander ?w - waypoint)
    (can_traverse ?r - rover ?from ?to - waypoint)
    (visible ?from ?to - waypoint)
    (equipped_for_soil_analysis ?r - rover)
    (equipped_for_rock_analysis ?r - rover)
    (equipped_for_imaging ?r - rover)
    (store_of ?s - store ?r - rover)
    (empty ?s - store)
    (full ?s - store)
    (at_soil_sample ?w - waypoint)
    (at_rock_sample ?w - waypoint)
    (have_soil_analysis ?r - rover ?w - waypoint)
    (have_rock_analysis ?r - rover ?w - waypoint)
    (on_board ?c - camera ?r - rover)
    (supports ?c - camera ?m - mode)
    (calibration_target ?c - camera ?o - objective)
    (calibrated ?c - camera ?r - rover)
    (visible_from ?o - objective ?w - waypoint)
    (have_image ?r - rover ?o - objective ?m - mode)
    (communicated_soil_data ?w - waypoint)
    (communicated_rock_data ?w - waypoint)
    (communicated_image_data ?o - objective ?m - mode))

  (:action navigate
    :parameters (?r - rover ?from ?to - waypoint)
    :precondition (and (can_traverse ?r ?from ?to) (at ?r ?from) (visible ?from ?to))
    :effect (and (at ?r ?to) (not (at ?r ?from))))

  (:action sample_soil
    :parameters (?r - rover ?s - store ?w - waypoint)
    :precondition (and (at ?r ?w) (at_soil_sample ?w) (equipped_for_soil_analysis ?r)
                       (store_of ?s ?r) (empty ?s))
    :effect (and (full ?s) (have_soil_analysis ?r ?w) (not (empty ?s)) (not (at_soil_sample ?w))))

  (:action sample_rock
    :parameters (?r - rover ?s - store ?w - waypoint)
    :precondition (and (at ?r ?w) (at_rock_sample ?w) (equipped_for_rock_analysis ?r)
                       (store_of ?s ?r) (empty ?s))
    :effect (and (full ?s) (have_rock_analysis ?r ?w) (not (empty ?s)) (not (at_rock_sample ?w))))

  (:action drop
    :parameters (?r - rover ?s - store)
    :precondition (and (store_of ?s ?r) (full ?s))
    :effect (and (empty ?s) (not (full ?s))))

  (:action calibrate
    :parameters (?r - rover ?c - camera ?o - objective ?w - waypoint)
    :precondition (and (equipped_for_imaging ?r) (calibration_target ?c ?o) (at ?r ?w)
                       (visible_from ?o ?w) (on_board ?c ?r))
    :effect (and (calibrated ?c ?r)))

  (:action take_image
    :parameters (?r - rover ?w - waypoint ?o - objective ?c - camera ?m - mode)
    :precondition (and (calibrated ?c ?r) (on_board ?c ?r) (equipped_for_imaging ?r)
                       (supports ?c ?m) (visible_from ?o ?w) (at ?r ?w))
    :effect (and (have_image ?r ?o ?m) (not (calibrated ?c ?r))))

  (:action communicate_soil_data
    :parameters (?r - rover ?l - lander ?w - waypoint ?here ?there - waypoint)
    :precondition (and (at ?r ?here) (at_lander ?l ?there) (have_soil_analysis ?r ?w)
                       (visible ?here ?there))
    :effect (and (communicated_soil_data ?w)))

  (:action communicate_rock_data
    :parameters (?r - rover ?l - lander ?w - waypoint ?here ?there - waypoint)
    :precondition (and (at ?r ?here) (at_lander ?l ?there) (have_rock_analysis ?r ?w)
                       (visible ?here ?there))
    :effect (and (communicated_rock_data ?w)))

  (:action communicate_image_data
    :parameters (?r - rover ?l - lander ?o - objective ?m - mode ?here ?there - waypoint)
    :precondition (and (at ?r ?here) (at_lander ?l ?there) (have_image ?r ?o ?m)
                       (visible ?here ?there))
    :effect (and (communicated_image_data ?o ?m))))
