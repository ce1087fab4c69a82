; café
(define (domain x))
