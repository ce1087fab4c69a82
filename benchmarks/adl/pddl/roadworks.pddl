; Like Citycar of IPC 2014: roads are laid where cars have to pass, and taken up to be used again.
(define (domain roadworks)
  (:requirements :adl)
  (:types junction car road)
  (:predicates (near ?a ?b - junction) (at ?c - car ?j - junction) (on ?c - car ?r - road)
    (laid ?r - road ?a ?b - junction))
  (:action lay
    :parameters (?r - road ?a ?b - junction)
    :precondition (and (or (near ?a ?b) (near ?b ?a))
      (not (exists (?c ?d - junction) (laid ?r ?c ?d))))
    :effect (laid ?r ?a ?b))
  (:action enter
    :parameters (?c - car ?r - road ?a ?b - junction)
    :precondition (and (at ?c ?a) (laid ?r ?a ?b))
    :effect (and (not (at ?c ?a)) (on ?c ?r)))
  (:action leave
    :parameters (?c - car ?r - road ?a ?b - junction)
    :precondition (and (on ?c ?r) (laid ?r ?a ?b))
    :effect (and (not (on ?c ?r)) (at ?c ?b)))
  (:action take-up
    :parameters (?r - road ?a ?b - junction)
    :precondition (laid ?r ?a ?b)
    :effect (and (not (laid ?r ?a ?b))
      (forall (?c - car) (when (on ?c ?r) (and (not (on ?c ?r)) (at ?c ?a)))))))
