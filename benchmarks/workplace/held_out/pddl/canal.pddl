; Barges pass the locks between the basins of a canal: one barge to a lock, with gates that open only at their own level of water.
(define (domain canal)
  (:requirements :strips :typing :negative-preconditions)
  (:types basin lock barge - object)
  (:predicates
    (higher ?x ?y - basin)
    (foot ?k - lock ?x - basin)
    (head ?k - lock ?x - basin)
    (low ?k - lock)
    (high ?k - lock)
    (foot-open ?k - lock)
    (head-open ?k - lock)
    (vacant ?k - lock)
    (at ?b - barge ?x - basin)
    (inside ?b - barge ?k - lock)
    (upbound ?b - barge)
    (downbound ?b - barge)
    (moored ?b - barge ?x - basin))
  (:action clear-up
    :parameters (?b - barge ?x ?y - basin)
    :precondition (and (at ?b ?x) (higher ?y ?x) (not (upbound ?b)))
    :effect (and (upbound ?b) (not (downbound ?b))))
  (:action clear-down
    :parameters (?b - barge ?x ?y - basin)
    :precondition (and (at ?b ?x) (higher ?x ?y) (not (downbound ?b)))
    :effect (and (downbound ?b) (not (upbound ?b))))
  (:action open-foot
    :parameters (?k - lock)
    :precondition (and (low ?k) (not (foot-open ?k)))
    :effect (foot-open ?k))
  (:action close-foot
    :parameters (?k - lock)
    :precondition (foot-open ?k)
    :effect (not (foot-open ?k)))
  (:action open-head
    :parameters (?k - lock)
    :precondition (and (high ?k) (not (head-open ?k)))
    :effect (head-open ?k))
  (:action close-head
    :parameters (?k - lock)
    :precondition (head-open ?k)
    :effect (not (head-open ?k)))
  (:action fill
    :parameters (?k - lock)
    :precondition (and (low ?k) (not (foot-open ?k)))
    :effect (and (high ?k) (not (low ?k))))
  (:action drain
    :parameters (?k - lock)
    :precondition (and (high ?k) (not (head-open ?k)))
    :effect (and (low ?k) (not (high ?k))))
  (:action enter-from-below
    :parameters (?b - barge ?k - lock ?x - basin)
    :precondition (and (at ?b ?x) (upbound ?b) (foot ?k ?x) (foot-open ?k) (vacant ?k))
    :effect (and (inside ?b ?k) (not (at ?b ?x)) (not (vacant ?k))))
  (:action enter-from-above
    :parameters (?b - barge ?k - lock ?x - basin)
    :precondition (and (at ?b ?x) (downbound ?b) (head ?k ?x) (head-open ?k) (vacant ?k))
    :effect (and (inside ?b ?k) (not (at ?b ?x)) (not (vacant ?k))))
  (:action leave-below
    :parameters (?b - barge ?k - lock ?x - basin)
    :precondition (and (inside ?b ?k) (foot ?k ?x) (foot-open ?k))
    :effect (and (at ?b ?x) (vacant ?k) (not (inside ?b ?k))))
  (:action leave-above
    :parameters (?b - barge ?k - lock ?x - basin)
    :precondition (and (inside ?b ?k) (head ?k ?x) (head-open ?k))
    :effect (and (at ?b ?x) (vacant ?k) (not (inside ?b ?k))))
  (:action moor
    :parameters (?b - barge ?x - basin)
    :precondition (at ?b ?x)
    :effect (and (moored ?b ?x) (not (at ?b ?x)) (not (upbound ?b)) (not (downbound ?b)))))
