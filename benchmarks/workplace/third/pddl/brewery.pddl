; A brewery: batches go through mash tun, kettle and fermenter over hoses that
; are connected and rinsed; vessels and kegs must be clean.
(define (domain brewery)
  (:requirements :strips :typing :negative-preconditions)
  (:types batch vessel hose hop keg - object
          ale lager - batch
          mashtun kettle fermenter - vessel)
  (:predicates
    (recipe ?b - batch ?x - hop)
    (label ?k - keg ?b - batch)
    (started ?b - batch)
    (in ?b - batch ?v - vessel)
    (boiled ?b - batch)
    (fermented ?b - batch)
    (matured ?b - batch)
    (clean ?v - vessel)
    (empty ?v - vessel)
    (chilled ?f - fermenter)
    (hose-free ?h - hose)
    (rinsed ?h - hose)
    (connected ?h - hose ?v ?w - vessel)
    (keg-clean ?k - keg)
    (holds ?k - keg ?b - batch))

  (:action clean-vessel
    :parameters (?v - vessel)
    :precondition (and (empty ?v) (not (clean ?v)))
    :effect (and (clean ?v)))

  (:action mash
    :parameters (?b - batch ?m - mashtun)
    :precondition (and (not (started ?b)) (empty ?m) (clean ?m))
    :effect (and (started ?b) (in ?b ?m) (not (empty ?m)) (not (clean ?m))))

  (:action rinse-hose
    :parameters (?h - hose)
    :precondition (and (hose-free ?h) (not (rinsed ?h)))
    :effect (and (rinsed ?h)))

  (:action connect
    :parameters (?h - hose ?v ?w - vessel)
    :precondition (and (hose-free ?h) (rinsed ?h))
    :effect (and (connected ?h ?v ?w) (not (hose-free ?h))))

  (:action disconnect
    :parameters (?h - hose ?v ?w - vessel)
    :precondition (and (connected ?h ?v ?w))
    :effect (and (hose-free ?h) (not (connected ?h ?v ?w)) (not (rinsed ?h))))

  (:action lauter
    :parameters (?b - batch ?m - mashtun ?k - kettle ?h - hose)
    :precondition (and (in ?b ?m) (connected ?h ?m ?k) (empty ?k) (clean ?k))
    :effect (and (in ?b ?k) (empty ?m) (not (in ?b ?m)) (not (empty ?k))
                 (not (clean ?k))))

  (:action boil
    :parameters (?b - batch ?k - kettle ?x - hop)
    :precondition (and (in ?b ?k) (recipe ?b ?x) (not (boiled ?b)))
    :effect (and (boiled ?b)))

  (:action run-off
    :parameters (?b - batch ?k - kettle ?f - fermenter ?h - hose)
    :precondition (and (in ?b ?k) (boiled ?b) (connected ?h ?k ?f) (empty ?f) (clean ?f))
    :effect (and (in ?b ?f) (empty ?k) (not (in ?b ?k)) (not (empty ?f))
                 (not (clean ?f))))

  (:action pitch-yeast
    :parameters (?b - batch ?f - fermenter)
    :precondition (and (in ?b ?f) (not (fermented ?b)))
    :effect (and (fermented ?b)))

  (:action settle-ale
    :parameters (?b - ale ?f - fermenter)
    :precondition (and (in ?b ?f) (fermented ?b) (not (matured ?b)))
    :effect (and (matured ?b)))

  (:action chill
    :parameters (?f - fermenter)
    :precondition (and (not (chilled ?f)))
    :effect (and (chilled ?f)))

  (:action condition-lager
    :parameters (?b - lager ?f - fermenter)
    :precondition (and (in ?b ?f) (fermented ?b) (chilled ?f) (not (matured ?b)))
    :effect (and (matured ?b)))

  (:action wash-keg
    :parameters (?k - keg)
    :precondition (and (not (keg-clean ?k)))
    :effect (and (keg-clean ?k)))

  (:action fill-keg
    :parameters (?k - keg ?b - batch ?f - fermenter)
    :precondition (and (in ?b ?f) (matured ?b) (label ?k ?b) (keg-clean ?k))
    :effect (and (holds ?k ?b)))

  (:action drain
    :parameters (?b - batch ?v - vessel)
    :precondition (and (in ?b ?v))
    :effect (and (empty ?v) (not (in ?b ?v)) (not (started ?b)) (not (boiled ?b))
                 (not (fermented ?b)) (not (matured ?b))))
)
