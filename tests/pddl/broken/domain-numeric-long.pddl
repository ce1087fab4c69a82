(define (domain x)
  (:types car)
  (:predicates (new ?c - car))
  (:functions (fuel ?c - car) (worth ?c ?d - car))
  (:action sell
    :parameters (?a ?b ?c ?d - car)
    :precondition (>= (+ (fuel ?a) (fuel ?b) (fuel ?c) (fuel ?d) (worth ?a ?a) (worth ?a ?b) (worth ?a ?c)
      (worth ?a ?d) (worth ?b ?a) (worth ?b ?b) (worth ?b ?c) (worth ?b ?d) (worth ?c ?a) (worth ?c ?b)
      (worth ?c ?c) (worth ?c ?d) (worth ?d ?a) (worth ?d ?b) (worth ?d ?c) (worth ?d ?d) (* 2 (fuel ?a))) (+
      (* 2 (worth ?a ?a)) (* 2 (worth ?a ?b)) (* 2 (worth ?a ?c)) (* 2 (worth ?a ?d)) (* 2 (worth ?b ?b))
      (* 2 (worth ?b ?c)) (* 2 (worth ?b ?d)) (* 2 (worth ?c ?c)) (* 2 (worth ?c ?d)) (* 2 (worth ?d ?d))))
    :effect (not (new ?a))))
