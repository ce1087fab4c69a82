; Three cars, three locations; one car is already where it should be.
(define (problem ferry-small)
  (:domain ferry)
  (:objects l1 l2 l3 c1 c2 c3)
  (:init
    (location l1) (location l2) (location l3)
    (car c1) (car c2) (car c3)
    (not-eq l1 l2) (not-eq l2 l1)
    (not-eq l1 l3) (not-eq l3 l1)
    (not-eq l2 l3) (not-eq l3 l2)
    (at-ferry l1) (empty-ferry)
    (at c1 l2) (at c2 l3) (at c3 l3))
  (:goal (and (at c1 l1) (at c2 l2) (at c3 l3))))
