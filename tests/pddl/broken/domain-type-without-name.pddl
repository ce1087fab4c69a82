(define (domain x)
  (:types - object))
