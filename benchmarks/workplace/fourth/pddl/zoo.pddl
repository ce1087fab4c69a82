; A zoo in the morning: keepers lure animals into their dens with food, drop the slide, muck out the
; enclosure and let them out again. Keys hang in the lodge, where the daily record is written, too.
(define (domain zoo)
  (:requirements :strips :typing :negative-preconditions)
  (:types place keeper animal enclosure key food - object
          grazer predator - animal
          bear - predator)
  (:constants lodge kitchen - place)
  (:predicates
    (path ?x ?y - place)
    (gate-shut ?x ?y - place)
    (at ?k - keeper ?x - place)
    (hand-free ?k - keeper)
    (bucket ?k - keeper ?f - food)
    (in-larder ?f - food)
    (on-hook ?q - key)
    (has ?k - keeper ?q - key)
    (opens ?q - key ?e - enclosure)
    (entrance ?e - enclosure ?x - place)
    (lives ?a - animal ?e - enclosure)
    (eats ?a - animal ?f - food)
    (outside ?a - animal)
    (slide-open ?e - enclosure)
    (fed ?a - animal)
    (weighed ?a - bear)
    (recorded ?a - animal)
    (clean ?e - enclosure))

  (:action walk
    :parameters (?k - keeper ?x ?y - place)
    :precondition (and (at ?k ?x) (path ?x ?y) (not (gate-shut ?x ?y)))
    :effect (and (at ?k ?y) (not (at ?k ?x))))

  (:action open-gate
    :parameters (?k - keeper ?x ?y - place)
    :precondition (and (at ?k ?x) (gate-shut ?x ?y))
    :effect (and (not (gate-shut ?x ?y)) (not (gate-shut ?y ?x))))

  (:action take-key
    :parameters (?k - keeper ?q - key)
    :precondition (and (at ?k lodge) (on-hook ?q))
    :effect (and (has ?k ?q) (not (on-hook ?q))))

  (:action hang-key
    :parameters (?k - keeper ?q - key)
    :precondition (and (at ?k lodge) (has ?k ?q))
    :effect (and (on-hook ?q) (not (has ?k ?q))))

  (:action fill-bucket
    :parameters (?k - keeper ?f - food)
    :precondition (and (at ?k kitchen) (in-larder ?f) (hand-free ?k))
    :effect (and (bucket ?k ?f) (not (hand-free ?k))))

  (:action tip-out
    :parameters (?k - keeper ?f - food)
    :precondition (and (at ?k kitchen) (bucket ?k ?f))
    :effect (and (hand-free ?k) (not (bucket ?k ?f))))

  (:action lure-in
    :parameters (?k - keeper ?a - animal ?f - food ?e - enclosure ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (lives ?a ?e) (outside ?a) (slide-open ?e)
                       (bucket ?k ?f) (eats ?a ?f))
    :effect (and (fed ?a) (hand-free ?k) (not (outside ?a)) (not (bucket ?k ?f))))

  (:action let-out
    :parameters (?k - keeper ?a - animal ?e - enclosure ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (lives ?a ?e) (slide-open ?e)
                       (not (outside ?a)))
    :effect (outside ?a))

  (:action raise-slide
    :parameters (?k - keeper ?q - key ?e - enclosure ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (has ?k ?q) (opens ?q ?e)
                       (not (slide-open ?e)))
    :effect (slide-open ?e))

  (:action drop-slide
    :parameters (?k - keeper ?q - key ?e - enclosure ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (has ?k ?q) (opens ?q ?e) (slide-open ?e))
    :effect (not (slide-open ?e)))

  (:action muck-out-grazer
    :parameters (?k - keeper ?a - grazer ?e - enclosure ?q - key ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (lives ?a ?e) (has ?k ?q) (opens ?q ?e)
                       (not (clean ?e)))
    :effect (clean ?e))

  (:action muck-out-predator
    :parameters (?k - keeper ?a - predator ?e - enclosure ?q - key ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (lives ?a ?e) (has ?k ?q) (opens ?q ?e)
                       (not (outside ?a)) (not (slide-open ?e)) (not (clean ?e)))
    :effect (clean ?e))

  (:action weigh
    :parameters (?k - keeper ?a - bear ?e - enclosure ?x - place)
    :precondition (and (at ?k ?x) (entrance ?e ?x) (lives ?a ?e) (not (outside ?a))
                       (not (slide-open ?e)))
    :effect (weighed ?a))

  (:action record
    :parameters (?k - keeper ?a - animal)
    :precondition (and (at ?k lodge) (fed ?a) (not (recorded ?a)))
    :effect (recorded ?a))
)
