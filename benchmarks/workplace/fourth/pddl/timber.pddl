; Logging: a harvester marks and fells a stand under a permit, a forwarder brings the logs to a landing,
; trucks bring them to the sawmill. Roads have barriers, to which the office has few keys.
(define (domain timber)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place vehicle key level - object
          stand landing - place
          off-roader truck - vehicle
          harvester forwarder - off-roader)
  (:constants office sawmill - place
              no-room - level)
  (:predicates
    (road ?x ?y - place)
    (track ?x ?y - place)
    (barred ?x ?y - place)
    (at ?v - vehicle ?x - place)
    (on-hook ?k - key)
    (has ?v - vehicle ?k - key)
    (next ?a ?b - level)
    (room ?t - truck ?l - level)
    (blunt ?h - harvester)
    (marked ?s - stand)
    (permitted ?s - stand)
    (cut ?s - stand)
    (felled ?s - stand)
    (empty ?f - forwarder)
    (bunked ?s - stand ?f - forwarder)
    (stacked ?s - stand ?x - landing)
    (loaded ?s - stand ?t - truck)
    (delivered ?s - stand))
  (:functions (total-cost) - number)

  (:action drive
    :parameters (?v - vehicle ?x ?y - place)
    :precondition (and (at ?v ?x) (road ?x ?y) (not (barred ?x ?y)))
    :effect (and (at ?v ?y) (not (at ?v ?x)) (increase (total-cost) 3)))

  (:action cross-country
    :parameters (?v - off-roader ?x ?y - place)
    :precondition (and (at ?v ?x) (track ?x ?y))
    :effect (and (at ?v ?y) (not (at ?v ?x)) (increase (total-cost) 6)))

  (:action take-key
    :parameters (?v - vehicle ?k - key)
    :precondition (and (at ?v office) (on-hook ?k))
    :effect (and (has ?v ?k) (not (on-hook ?k)) (increase (total-cost) 1)))

  (:action return-key
    :parameters (?v - vehicle ?k - key)
    :precondition (and (at ?v office) (has ?v ?k))
    :effect (and (on-hook ?k) (not (has ?v ?k)) (increase (total-cost) 1)))

  (:action raise-barrier
    :parameters (?v - vehicle ?k - key ?x ?y - place)
    :precondition (and (at ?v ?x) (has ?v ?k) (barred ?x ?y))
    :effect (and (not (barred ?x ?y)) (not (barred ?y ?x)) (increase (total-cost) 1)))

  (:action mark
    :parameters (?h - harvester ?s - stand)
    :precondition (and (at ?h ?s) (not (marked ?s)))
    :effect (and (marked ?s) (increase (total-cost) 2)))

  (:action issue-permit
    :parameters (?s - stand)
    :precondition (and (marked ?s) (not (permitted ?s)) (not (cut ?s)))
    :effect (and (permitted ?s) (increase (total-cost) 4)))

  (:action fell
    :parameters (?h - harvester ?s - stand)
    :precondition (and (at ?h ?s) (permitted ?s) (not (blunt ?h)))
    :effect (and (felled ?s) (cut ?s) (blunt ?h) (not (permitted ?s))
                 (increase (total-cost) 10)))

  (:action sharpen
    :parameters (?h - harvester)
    :precondition (blunt ?h)
    :effect (and (not (blunt ?h)) (increase (total-cost) 2)))

  (:action gather
    :parameters (?f - forwarder ?s - stand)
    :precondition (and (at ?f ?s) (felled ?s) (empty ?f))
    :effect (and (bunked ?s ?f) (not (felled ?s)) (not (empty ?f)) (increase (total-cost) 5)))

  (:action stack
    :parameters (?f - forwarder ?s - stand ?x - landing)
    :precondition (and (at ?f ?x) (bunked ?s ?f))
    :effect (and (stacked ?s ?x) (empty ?f) (not (bunked ?s ?f)) (increase (total-cost) 3)))

  (:action load
    :parameters (?t - truck ?s - stand ?x - landing ?less ?more - level)
    :precondition (and (at ?t ?x) (stacked ?s ?x) (room ?t ?more) (next ?less ?more))
    :effect (and (loaded ?s ?t) (room ?t ?less) (not (stacked ?s ?x)) (not (room ?t ?more))
                 (increase (total-cost) 3)))

  (:action unload
    :parameters (?t - truck ?s - stand ?less ?more - level)
    :precondition (and (at ?t sawmill) (loaded ?s ?t) (room ?t ?less) (next ?less ?more))
    :effect (and (delivered ?s) (room ?t ?more) (not (loaded ?s ?t)) (not (room ?t ?less))
                 (increase (total-cost) 3)))
)
