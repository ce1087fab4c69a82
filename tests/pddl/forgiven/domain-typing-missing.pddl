(define (domain store)
  (:requirements :strips)
  (:types crate)
  (:predicates (full ?c - crate)))
