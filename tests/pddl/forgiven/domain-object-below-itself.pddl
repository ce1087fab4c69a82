(define (domain x)
  (:requirements :strips :typing)
  (:types car object - object)
  (:predicates (new ?x - car)))
