(define (domain café))
