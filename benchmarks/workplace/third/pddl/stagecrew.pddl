; A theatre stage crew sets a scene strictly from the back to the front.
; Flats need two people, platforms a dolly, drops a batten and a flyman.
(define (domain stagecrew)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types room crew piece dolly batten mark - object
          stagehand flyman - crew
          flat platform drop - piece)
  (:constants stage dock - room backwall - mark)
  (:predicates
    (adjacent ?a ?b - room)
    (door-shut ?a ?b - room)
    (crew-at ?c - crew ?r - room)
    (idle ?c - crew)
    (in-team ?c - crew)
    (piece-at ?x - piece ?r - room)
    (dolly-at ?d - dolly ?r - room)
    (dolly-empty ?d - dolly)
    (on-dolly ?x - platform ?d - dolly)
    (lifted ?f - flat ?c1 ?c2 - crew)
    (carries ?c - crew ?x - drop)
    (batten-over ?b - batten ?m - mark)
    (batten-low ?b - batten)
    (hung ?x - drop ?b - batten)
    (belongs ?x - piece ?m - mark)
    (in-front-of ?m ?behind - mark)
    (taped ?m - mark)
    (done ?m - mark)
    (in-place ?x - piece))

  (:action walk
    :parameters (?c - crew ?a ?b - room)
    :precondition (and (crew-at ?c ?a) (not (in-team ?c)) (adjacent ?a ?b)
                       (not (door-shut ?a ?b)))
    :effect (and (crew-at ?c ?b) (not (crew-at ?c ?a))))

  (:action open-door
    :parameters (?c - crew ?a ?b - room)
    :precondition (and (crew-at ?c ?a) (idle ?c) (door-shut ?a ?b))
    :effect (and (not (door-shut ?a ?b)) (not (door-shut ?b ?a))))

  (:action tape-mark
    :parameters (?c - crew ?m - mark)
    :precondition (and (crew-at ?c stage) (idle ?c) (not (taped ?m)))
    :effect (and (taped ?m)))

  (:action lift-flat
    :parameters (?c1 ?c2 - crew ?f - flat ?r - room)
    :precondition (and (crew-at ?c1 ?r) (crew-at ?c2 ?r) (not (= ?c1 ?c2))
                       (idle ?c1) (idle ?c2) (piece-at ?f ?r) (not (in-place ?f)))
    :effect (and (lifted ?f ?c1 ?c2) (in-team ?c1) (in-team ?c2)
                 (not (idle ?c1)) (not (idle ?c2))
                 (not (piece-at ?f ?r))))

  (:action carry-flat
    :parameters (?c1 ?c2 - crew ?f - flat ?a ?b - room)
    :precondition (and (lifted ?f ?c1 ?c2) (crew-at ?c1 ?a) (crew-at ?c2 ?a)
                       (adjacent ?a ?b) (not (door-shut ?a ?b)))
    :effect (and (crew-at ?c1 ?b) (crew-at ?c2 ?b)
                 (not (crew-at ?c1 ?a)) (not (crew-at ?c2 ?a))))

  (:action put-flat-down
    :parameters (?c1 ?c2 - crew ?f - flat ?r - room)
    :precondition (and (lifted ?f ?c1 ?c2) (crew-at ?c1 ?r) (crew-at ?c2 ?r))
    :effect (and (piece-at ?f ?r) (idle ?c1) (idle ?c2) (not (lifted ?f ?c1 ?c2))
                 (not (in-team ?c1)) (not (in-team ?c2))))

  (:action set-flat
    :parameters (?c1 ?c2 - crew ?f - flat ?m ?n - mark)
    :precondition (and (lifted ?f ?c1 ?c2) (crew-at ?c1 stage) (crew-at ?c2 stage)
                       (belongs ?f ?m) (taped ?m) (in-front-of ?m ?n) (done ?n))
    :effect (and (in-place ?f) (done ?m) (idle ?c1) (idle ?c2)
                 (not (lifted ?f ?c1 ?c2)) (not (in-team ?c1)) (not (in-team ?c2))))

  (:action load-dolly
    :parameters (?c - crew ?x - platform ?d - dolly ?r - room)
    :precondition (and (crew-at ?c ?r) (idle ?c) (dolly-at ?d ?r) (dolly-empty ?d)
                       (piece-at ?x ?r))
    :effect (and (on-dolly ?x ?d) (not (dolly-empty ?d)) (not (piece-at ?x ?r))))

  (:action push-dolly
    :parameters (?c - crew ?d - dolly ?a ?b - room)
    :precondition (and (crew-at ?c ?a) (idle ?c) (dolly-at ?d ?a)
                       (adjacent ?a ?b) (not (door-shut ?a ?b)))
    :effect (and (crew-at ?c ?b) (dolly-at ?d ?b)
                 (not (crew-at ?c ?a)) (not (dolly-at ?d ?a))))

  (:action unload-dolly
    :parameters (?c - crew ?x - platform ?d - dolly ?r - room)
    :precondition (and (crew-at ?c ?r) (idle ?c) (dolly-at ?d ?r) (on-dolly ?x ?d))
    :effect (and (piece-at ?x ?r) (dolly-empty ?d) (not (on-dolly ?x ?d))))

  (:action set-platform
    :parameters (?c - crew ?x - platform ?d - dolly ?m ?n - mark)
    :precondition (and (crew-at ?c stage) (idle ?c) (dolly-at ?d stage)
                       (on-dolly ?x ?d) (belongs ?x ?m) (taped ?m)
                       (in-front-of ?m ?n) (done ?n))
    :effect (and (in-place ?x) (done ?m) (dolly-empty ?d) (not (on-dolly ?x ?d))))

  (:action shoulder-drop
    :parameters (?c - crew ?x - drop ?r - room)
    :precondition (and (crew-at ?c ?r) (idle ?c) (piece-at ?x ?r))
    :effect (and (carries ?c ?x) (not (idle ?c)) (not (piece-at ?x ?r))))

  (:action lower-batten
    :parameters (?y - flyman ?b - batten)
    :precondition (and (crew-at ?y stage) (idle ?y) (not (batten-low ?b)))
    :effect (and (batten-low ?b)))

  (:action hang-drop
    :parameters (?c - crew ?x - drop ?b - batten ?m - mark)
    :precondition (and (carries ?c ?x) (crew-at ?c stage) (batten-low ?b)
                       (belongs ?x ?m) (batten-over ?b ?m))
    :effect (and (hung ?x ?b) (idle ?c) (not (carries ?c ?x))))

  (:action fly-out
    :parameters (?y - flyman ?x - drop ?b - batten ?m ?n - mark)
    :precondition (and (crew-at ?y stage) (idle ?y) (batten-low ?b) (hung ?x ?b)
                       (belongs ?x ?m) (in-front-of ?m ?n) (done ?n))
    :effect (and (in-place ?x) (done ?m) (not (batten-low ?b))))
)
