; A pottery: pieces are thrown, dried on boards, fired, glazed and fired again. A kiln fires all that is
; in it, each piece according to its state; glaze drips on the shelves, which are scraped when empty.
(define (domain pottery)
  (:requirements :strips :typing :negative-preconditions :conditional-effects)
  (:types piece wheel board kiln glaze level - object)
  (:constants no-room - level)
  (:predicates
    (next ?a ?b - level)
    (size ?k - kiln ?l - level)
    (room ?k - kiln ?l - level)
    (in ?p - piece ?k - kiln)
    (hot ?k - kiln)
    (dripped ?k - kiln)
    (clean ?w - wheel)
    (board-free ?b - board)
    (dries ?p - piece ?b - board)
    (on-table ?p - piece)
    (colour ?p - piece ?g - glaze)
    (stirred ?g - glaze)
    (clay ?p - piece)
    (raw ?p - piece)
    (biscuit ?p - piece)
    (glazed ?p - piece)
    (finished ?p - piece)
    (packed ?p - piece))

  (:action throw
    :parameters (?p - piece ?w - wheel ?b - board)
    :precondition (and (clay ?p) (clean ?w) (board-free ?b))
    :effect (and (dries ?p ?b) (not (clay ?p)) (not (clean ?w)) (not (board-free ?b))))

  (:action wipe-wheel
    :parameters (?w - wheel)
    :precondition (not (clean ?w))
    :effect (clean ?w))

  (:action take-from-board
    :parameters (?p - piece ?b - board)
    :precondition (dries ?p ?b)
    :effect (and (raw ?p) (on-table ?p) (board-free ?b) (not (dries ?p ?b))))

  (:action load
    :parameters (?p - piece ?k - kiln ?less ?more - level)
    :precondition (and (on-table ?p) (not (hot ?k)) (not (dripped ?k)) (room ?k ?more)
                       (next ?less ?more))
    :effect (and (in ?p ?k) (room ?k ?less) (not (on-table ?p)) (not (room ?k ?more))))

  (:action fire
    :parameters (?k - kiln)
    :precondition (not (hot ?k))
    :effect (and (hot ?k)
                 (forall (?p - piece)
                   (when (and (in ?p ?k) (raw ?p))
                         (and (biscuit ?p) (not (raw ?p)))))
                 (forall (?p - piece)
                   (when (and (in ?p ?k) (glazed ?p))
                         (and (finished ?p) (dripped ?k) (not (glazed ?p)))))))

  (:action cool
    :parameters (?k - kiln)
    :precondition (hot ?k)
    :effect (not (hot ?k)))

  (:action unload
    :parameters (?p - piece ?k - kiln ?less ?more - level)
    :precondition (and (in ?p ?k) (not (hot ?k)) (room ?k ?less) (next ?less ?more))
    :effect (and (on-table ?p) (room ?k ?more) (not (in ?p ?k)) (not (room ?k ?less))))

  (:action scrape-shelves
    :parameters (?k - kiln ?all - level)
    :precondition (and (dripped ?k) (not (hot ?k)) (size ?k ?all) (room ?k ?all))
    :effect (not (dripped ?k)))

  (:action stir
    :parameters (?g - glaze)
    :precondition (not (stirred ?g))
    :effect (stirred ?g))

  (:action dip
    :parameters (?p - piece ?g - glaze)
    :precondition (and (on-table ?p) (biscuit ?p) (colour ?p ?g) (stirred ?g))
    :effect (and (glazed ?p) (not (biscuit ?p)) (not (stirred ?g))))

  (:action pack
    :parameters (?p - piece)
    :precondition (and (on-table ?p) (finished ?p))
    :effect (and (packed ?p) (not (on-table ?p))))
)
