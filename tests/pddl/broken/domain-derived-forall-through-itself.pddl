(define (domain x)
  (:predicates (p ?a) (above ?a ?b))
  (:derived (p ?a) (forall (?b) (imply (above ?b ?a) (p ?b)))))
