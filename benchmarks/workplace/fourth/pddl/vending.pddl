; Vending machines in office buildings: technicians drive there, sign in at the desk, read the meter,
; unlock and refill the machines, rinse coffee machines, and bring the cash to the depot in bags.
(define (domain vending)
  (:requirements :strips :typing :negative-preconditions)
  (:types place technician machine bag level - object
          building - place
          snack-machine drink-machine - machine
          coffee-machine - drink-machine)
  (:constants depot - place
              empty - level)
  (:predicates
    (road ?x ?y - place)
    (at ?t - technician ?x - place)
    (inside ?t - technician ?x - building)
    (next ?a ?b - level)
    (stock ?t - technician ?l - level)
    (at-depot ?b - bag)
    (holds ?t - technician ?b - bag)
    (with-bag ?t - technician)
    (full ?b - bag)
    (stands ?m - machine ?x - building)
    (locked ?m - machine)
    (metered ?m - machine)
    (dirty ?m - drink-machine)
    (watered ?m - drink-machine)
    (filled ?m - machine)
    (emptied ?m - machine))

  (:action drive
    :parameters (?t - technician ?x ?y - place)
    :precondition (and (at ?t ?x) (road ?x ?y))
    :effect (and (at ?t ?y) (not (at ?t ?x))))

  (:action sign-in
    :parameters (?t - technician ?x - building)
    :precondition (at ?t ?x)
    :effect (and (inside ?t ?x) (not (at ?t ?x))))

  (:action sign-out
    :parameters (?t - technician ?x - building)
    :precondition (inside ?t ?x)
    :effect (and (at ?t ?x) (not (inside ?t ?x))))

  (:action take-stock
    :parameters (?t - technician ?less ?more - level)
    :precondition (and (at ?t depot) (stock ?t ?less) (next ?less ?more))
    :effect (and (stock ?t ?more) (not (stock ?t ?less))))

  (:action take-bag
    :parameters (?t - technician ?b - bag)
    :precondition (and (at ?t depot) (at-depot ?b) (not (with-bag ?t)))
    :effect (and (holds ?t ?b) (with-bag ?t) (not (at-depot ?b))))

  (:action hand-in
    :parameters (?t - technician ?b - bag)
    :precondition (and (at ?t depot) (holds ?t ?b))
    :effect (and (at-depot ?b) (not (holds ?t ?b)) (not (with-bag ?t)) (not (full ?b))))

  (:action read-meter
    :parameters (?t - technician ?m - machine ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (locked ?m) (not (metered ?m)))
    :effect (metered ?m))

  (:action unlock
    :parameters (?t - technician ?m - machine ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (locked ?m) (metered ?m))
    :effect (and (not (locked ?m)) (not (metered ?m))))

  (:action lock
    :parameters (?t - technician ?m - machine ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (not (locked ?m)))
    :effect (locked ?m))

  (:action rinse
    :parameters (?t - technician ?m - coffee-machine ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (dirty ?m) (not (locked ?m)))
    :effect (and (not (dirty ?m)) (not (watered ?m))))

  (:action fill-water
    :parameters (?t - technician ?m - drink-machine ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (not (locked ?m)) (not (dirty ?m))
                       (not (watered ?m)))
    :effect (watered ?m))

  (:action refill
    :parameters (?t - technician ?m - machine ?x - building ?less ?more - level)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (not (locked ?m)) (not (filled ?m))
                       (stock ?t ?more) (next ?less ?more))
    :effect (and (filled ?m) (stock ?t ?less) (not (stock ?t ?more))))

  (:action empty-cash-box
    :parameters (?t - technician ?m - machine ?b - bag ?x - building)
    :precondition (and (inside ?t ?x) (stands ?m ?x) (not (locked ?m)) (holds ?t ?b)
                       (not (full ?b)) (not (emptied ?m)))
    :effect (and (emptied ?m) (full ?b)))
)
