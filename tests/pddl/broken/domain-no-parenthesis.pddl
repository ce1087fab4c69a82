define (domain x)
