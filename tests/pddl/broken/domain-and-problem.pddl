(define (domain x)
  (:predicates (p)))
(define (problem y) (:domain x) (:init) (:goal (p)))
