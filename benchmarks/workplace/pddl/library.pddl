; Returned books are checked in at the counter, repaired at the workshop if torn, and put on their shelf; high shelves need the ladder.
(define (domain library)
  (:requirements :strips :typing :negative-preconditions)
  (:types room book librarian ladder - object
          shelf-room - room)
  (:constants counter workshop - room)
  (:predicates
    (door ?a ?b - room)
    (in ?l - librarian ?r - room)
    (book-in ?b - book ?r - room)
    (carries ?l - librarian ?b - book)
    (hands-free ?l - librarian)
    (ladder-in ?x - ladder ?r - room)
    (moves ?l - librarian ?x - ladder)
    (registered ?b - book)
    (torn ?b - book)
    (home ?b - book ?r - shelf-room)
    (high ?b - book)
    (shelved ?b - book))
  (:action walk
    :parameters (?l - librarian ?a ?b - room)
    :precondition (and (in ?l ?a) (door ?a ?b))
    :effect (and (in ?l ?b) (not (in ?l ?a))))
  (:action take
    :parameters (?l - librarian ?b - book ?r - room)
    :precondition (and (in ?l ?r) (book-in ?b ?r) (hands-free ?l))
    :effect (and (carries ?l ?b) (not (book-in ?b ?r)) (not (hands-free ?l))))
  (:action put
    :parameters (?l - librarian ?b - book ?r - room)
    :precondition (and (in ?l ?r) (carries ?l ?b))
    :effect (and (book-in ?b ?r) (hands-free ?l) (not (carries ?l ?b))))
  (:action grab-ladder
    :parameters (?l - librarian ?x - ladder ?r - room)
    :precondition (and (in ?l ?r) (ladder-in ?x ?r) (hands-free ?l))
    :effect (and (moves ?l ?x) (not (ladder-in ?x ?r)) (not (hands-free ?l))))
  (:action leave-ladder
    :parameters (?l - librarian ?x - ladder ?r - room)
    :precondition (and (in ?l ?r) (moves ?l ?x))
    :effect (and (ladder-in ?x ?r) (hands-free ?l) (not (moves ?l ?x))))
  (:action register
    :parameters (?l - librarian ?b - book)
    :precondition (and (in ?l counter) (carries ?l ?b) (not (registered ?b)))
    :effect (registered ?b))
  (:action repair
    :parameters (?l - librarian ?b - book)
    :precondition (and (in ?l workshop) (book-in ?b workshop) (torn ?b) (hands-free ?l))
    :effect (not (torn ?b)))
  (:action shelve-low
    :parameters (?l - librarian ?b - book ?r - shelf-room)
    :precondition (and (in ?l ?r) (carries ?l ?b) (home ?b ?r) (registered ?b) (not (torn ?b)) (not (high ?b)))
    :effect (and (shelved ?b) (hands-free ?l) (not (carries ?l ?b))))
  (:action shelve-high
    :parameters (?l - librarian ?b - book ?r - shelf-room ?x - ladder)
    :precondition (and (in ?l ?r) (ladder-in ?x ?r) (carries ?l ?b) (home ?b ?r) (registered ?b) (not (torn ?b)) (high ?b))
    :effect (and (shelved ?b) (hands-free ?l) (not (carries ?l ?b)))))
