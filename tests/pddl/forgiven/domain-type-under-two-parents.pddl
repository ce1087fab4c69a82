(define (domain store)
  (:requirements :strips :typing)
  (:types place surface - object
    area - place
    area crate - surface)
  (:predicates (on ?c - crate ?s - surface)))
