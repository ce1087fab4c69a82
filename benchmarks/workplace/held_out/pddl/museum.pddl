; A handler rehangs a museum. Each gallery opens off the corridor and has an alarm; paintings travel wrapped; the depot takes what is in the way.
(define (domain museum)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types room painting sculpture hook plinth - object
          gallery - room)
  (:constants corridor depot - room)
  (:predicates
    (handler-in ?r - room)
    (hands-free)
    (armed ?r - room)
    (part-of ?s - (either hook plinth) ?g - gallery)
    (free ?s - (either hook plinth))
    (shown ?e - (either painting sculpture) ?s - (either hook plinth))
    (holds ?e - (either painting sculpture))
    (stored ?e - (either painting sculpture))
    (wrapped ?e - painting))
  (:action disarm
    :parameters (?g - gallery)
    :precondition (and (handler-in corridor) (armed ?g))
    :effect (not (armed ?g)))
  (:action arm
    :parameters (?g - gallery)
    :precondition (and (handler-in corridor) (not (armed ?g)))
    :effect (armed ?g))
  (:action enter
    :parameters (?r - room)
    :precondition (and (handler-in corridor) (not (= ?r corridor)) (not (armed ?r)))
    :effect (and (handler-in ?r) (not (handler-in corridor))))
  (:action leave
    :parameters (?r - room)
    :precondition (and (handler-in ?r) (not (= ?r corridor)) (hands-free))
    :effect (and (handler-in corridor) (not (handler-in ?r))))
  (:action carry-out
    :parameters (?e - painting ?r - room)
    :precondition (and (handler-in ?r) (not (= ?r corridor)) (holds ?e) (wrapped ?e))
    :effect (and (handler-in corridor) (not (handler-in ?r))))
  (:action roll-out
    :parameters (?e - sculpture ?r - room)
    :precondition (and (handler-in ?r) (not (= ?r corridor)) (holds ?e))
    :effect (and (handler-in corridor) (not (handler-in ?r))))
  (:action take-down
    :parameters (?e - (either painting sculpture) ?s - (either hook plinth) ?g - gallery)
    :precondition (and (handler-in ?g) (part-of ?s ?g) (shown ?e ?s) (hands-free))
    :effect (and (holds ?e) (free ?s) (not (shown ?e ?s)) (not (hands-free))))
  (:action hang
    :parameters (?e - painting ?s - hook ?g - gallery)
    :precondition (and (handler-in ?g) (part-of ?s ?g) (holds ?e) (not (wrapped ?e)) (free ?s))
    :effect (and (shown ?e ?s) (hands-free) (not (holds ?e)) (not (free ?s))))
  (:action set-up
    :parameters (?e - sculpture ?s - plinth ?g - gallery)
    :precondition (and (handler-in ?g) (part-of ?s ?g) (holds ?e) (free ?s))
    :effect (and (shown ?e ?s) (hands-free) (not (holds ?e)) (not (free ?s))))
  (:action wrap
    :parameters (?e - painting)
    :precondition (and (holds ?e) (not (wrapped ?e)))
    :effect (wrapped ?e))
  (:action unwrap
    :parameters (?e - painting)
    :precondition (and (holds ?e) (wrapped ?e))
    :effect (not (wrapped ?e)))
  (:action store
    :parameters (?e - (either painting sculpture))
    :precondition (and (handler-in depot) (holds ?e))
    :effect (and (stored ?e) (hands-free) (not (holds ?e))))
  (:action fetch
    :parameters (?e - (either painting sculpture))
    :precondition (and (handler-in depot) (stored ?e) (hands-free))
    :effect (and (holds ?e) (not (stored ?e)) (not (hands-free)))))
