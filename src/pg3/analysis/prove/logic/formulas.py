"""First-order formulas over kinds of objects: what the search for a proof computes with.

A formula is a nested tuple, so that it can be compared, hashed and written as JSON:

    ("state", p, terms)    the atom holds in the state
    ("goal", p, terms)     the atom is a goal         ("avoid", p, terms)  its negation is a goal
    ("path", word, E, terms)   word is reach, next or closer, along the static relation E;
                               or linked: reach along a relation that actions may change;
    ("path", "derived", P, terms, reads)   a derived predicate that depends on itself
    ("=", a, b)   ("not", f)   ("and", fs)   ("or", fs)   ("exists", vs, f)   ("forall", vs, f)

`(closer E ... u x z)` says that u is nearer to z than x is, counted in steps of E. A term is a name
with its kind; variables begin with "?". No kind is empty, so quantifiers over unused variables are
dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

Formula = tuple[Any, ...]


class Term(NamedTuple):
    """A variable or a constant, with its kind."""

    name: str
    kind: str

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable and no constant."""
        return self.name[0] == "?"


class Fact(NamedTuple):
    """An atom's parts; `word` tells what is said of it: state, goal or avoid."""

    word: str
    predicate: str
    terms: tuple[Term, ...]


class Reads(NamedTuple):
    """What a derived predicate that depends on itself depends on.

    The relation that it follows, and the predicates of the state with their polarities.
    """

    relation: str
    signs: frozenset[tuple[str, bool]]


class NextHop(NamedTuple):
    """`(next E ... start hop target)`: hop is next on a shortest path from start to target."""

    relation: str
    leading: tuple[Term, ...]
    start: Term
    hop: Term
    target: Term


ATOMS = ("state", "goal", "avoid")
TRUE: Formula = ("and", ())
FALSE: Formula = ("or", ())


def state(predicate: str, terms: Iterable[Term]) -> Formula:
    """The atom holds in the state."""
    return ("state", predicate, tuple(terms))


def equal(one: Term, other: Term) -> Formula:
    """Both terms are the same object; decided where the terms show it."""
    if one == other:
        return TRUE
    if one.kind != other.kind or not (one.is_variable or other.is_variable):
        return FALSE
    return ("=", one, other)


def negate(formula: Formula) -> Formula:
    """The negation, without double negation."""
    if formula == TRUE:
        return FALSE
    if formula == FALSE:
        return TRUE
    negated: Formula = formula[1] if formula[0] == "not" else ("not", formula)
    return negated


def _join(word: str, unit: Formula, zero: Formula, parts: Iterable[Formula]) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if part == zero:
            return zero
        if part != unit:
            found.update(dict.fromkeys(part[1] if part[0] == word else (part,)))
    return next(iter(found)) if len(found) == 1 else (word, tuple(found))


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of the parts."""
    return _join("and", TRUE, FALSE, parts)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """One of the parts at least."""
    return _join("or", FALSE, TRUE, parts)


def _quantified(word: str, variables: Iterable[Term], body: Formula) -> Formula:
    used = free(body)
    bound = tuple(v for v in dict.fromkeys(variables) if v in used)
    return (word, bound, body) if bound else body


def exists(variables: Iterable[Term], body: Formula) -> Formula:
    """Some objects satisfy the body."""
    return _quantified("exists", variables, body)


def forall(variables: Iterable[Term], body: Formula) -> Formula:
    """All objects satisfy the body."""
    return _quantified("forall", variables, body)


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The conjuncts."""
    parts: tuple[Formula, ...] = formula[1] if formula[0] == "and" else (formula,)
    return parts


def terms_of(formula: Formula) -> tuple[Term, ...] | None:
    """The terms of an atom or an equation; None for any other formula."""
    word = formula[0]
    terms: tuple[Term, ...] | None = None
    if word in ATOMS:
        terms = formula[2]
    elif word == "path":
        terms = formula[3]
    elif word == "=":
        terms = formula[1:]
    return terms


def facts_in(parts: Iterable[Formula], *words: str) -> list[Fact]:
    """Those of the parts that are atoms of these words."""
    return [Fact(*part) for part in parts if part[0] in words]


def next_hops_in(parts: Iterable[Formula]) -> list[NextHop]:
    """Those of the parts that speak of the next hop on a shortest path."""
    found = []
    for part in parts:
        if part[0] == "path":
            _, word, relation, terms, *_ = part
            if word == "next":
                *leading, start, hop, target = terms
                found.append(NextHop(relation, tuple(leading), start, hop, target))
    return found


def inner_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that a formula is made of; none of an atom or an equation."""
    word = formula[0]
    inner: tuple[Formula, ...] = ()
    if word in ("and", "or"):
        inner = formula[1]
    elif word in ("not", "exists", "forall"):
        inner = (formula[-1],)
    return inner


_FREE: dict[Formula, frozenset[Term]] = {}


def free(formula: Formula) -> frozenset[Term]:
    """The variables that are not bound."""
    known = _FREE.get(formula)
    if known is not None:
        return known
    found = frozenset(t for t in terms_of(formula) or () if t.is_variable)
    found = found.union(*map(free, inner_of(formula)))
    if formula[0] in ("exists", "forall"):
        found -= set(formula[1])
    _FREE[formula] = found
    return found


def replace_terms(formula: Formula, new: Mapping[Term, Term]) -> Formula:
    """The formula with free variables replaced; no new term may be bound in it."""
    word = formula[0]
    if word in ATOMS:
        return (word, formula[1], tuple(new.get(t, t) for t in formula[2]))
    if word == "path":
        terms = tuple(new.get(t, t) for t in formula[3])
        return (word, formula[1], formula[2], terms, *formula[4:])
    if word == "=":
        return equal(new.get(formula[1], formula[1]), new.get(formula[2], formula[2]))
    if word == "not":
        return negate(replace_terms(formula[1], new))
    if word in ("and", "or"):
        make = conjunction if word == "and" else disjunction
        return make(replace_terms(part, new) for part in formula[1])
    inner = {old: term for old, term in new.items() if old not in formula[1]}
    return (word, formula[1], replace_terms(formula[2], inner))


def polarities(formula: Formula, positive: bool = True) -> frozenset[tuple[str, bool]]:
    """The predicates of the state, each with whether it occurs positively, negatively or both."""
    word = formula[0]
    own = {(formula[1], positive)} if word == "state" else set()
    if formula[:2] == ("path", "linked"):
        own = {(formula[2], positive)}
    if formula[:2] == ("path", "derived"):
        own = {(name, sign == positive) for name, sign in formula[4].signs}
    inside = positive != (word == "not")
    return frozenset(own).union(*(polarities(one, inside) for one in inner_of(formula)))


def predicates_in(formula: Formula) -> frozenset[str]:
    """The predicates of the state that the formula mentions."""
    return frozenset(name for name, _ in polarities(formula))


def paths_in(formula: Formula) -> frozenset[str]:
    """The relations along which the formula speaks of paths."""
    own = {formula[2]} if formula[0] == "path" else set()
    if formula[:2] == ("path", "derived"):
        own = {formula[4].relation}
    return frozenset[str](own).union(*map(paths_in, inner_of(formula)))


def text_of(formula: Formula) -> str:
    """The formula as PDDL would write it, for messages and for an order of formulas."""
    word = formula[0]
    if word == "=":
        return f"(= {formula[1].name} {formula[2].name})"
    terms = terms_of(formula)
    if terms is not None:
        names = (formula[1], formula[2]) if word == "path" else (formula[1],)
        atom = f"({' '.join((*names, *(t.name for t in terms)))})"
        return {"goal": f"(goal {atom})", "avoid": f"(goal (not {atom}))"}.get(word, atom)
    if word == "not":
        return f"(not {text_of(formula[1])})"
    if word in ("and", "or"):
        return f"({' '.join((word, *map(text_of, formula[1])))})"
    bound = " ".join(f"{v.name} - {v.kind}" for v in formula[1])
    return f"({word} ({bound}) {text_of(formula[2])})"


def to_json(formula: Formula) -> list[Any]:
    """The formula as the certificate has it: variables by name, bound ones with their kinds."""
    word = formula[0]
    if word == "=":
        return ["=", formula[1].name, formula[2].name]
    terms = terms_of(formula)
    if terms is not None:
        head = formula[1:3] if word == "path" else formula[1:2]
        return [word, *head, *(t.name for t in terms)]
    if word == "not":
        return ["not", to_json(formula[1])]
    if word in ("and", "or"):
        return [word, *map(to_json, formula[1])]
    return [word, [list(v) for v in formula[1]], to_json(formula[2])]


def from_json(value: Any, known: Mapping[str, str]) -> Formula:
    """The formula that `to_json` wrote; `known` has the kinds of constants and free variables.

    KeyError where a term is not known. The shape has been checked before.
    """
    word = value[0]
    if word in (*ATOMS, "path", "="):
        head = {"path": 3, "=": 1}.get(word, 2)
        terms = tuple(Term(name, known[name]) for name in value[head:])
        return ("=", *terms) if word == "=" else (*value[:head], terms)
    if word == "not":
        return ("not", from_json(value[1], known))
    if word in ("and", "or"):
        return (word, tuple(from_json(part, known) for part in value[1:]))
    bound = tuple(Term(name, kind) for name, kind in value[1])
    return (word, bound, from_json(value[2], {**known, **dict(bound)}))


def variables_for(kinds: Iterable[str], letter: str = "x") -> tuple[Term, ...]:
    """A variable for each kind: ?x1, ?x2, ..."""
    return tuple(Term(f"?{letter}{i}", kind) for i, kind in enumerate(kinds, start=1))


def is_connected(parts: Collection[Formula]) -> bool:
    """Whether the parts hang together by their variables."""
    todo = list(parts)
    reached = set(free(todo.pop(0))) if todo else set()
    while todo:
        near = next((part for part in todo if free(part) & reached), None)
        if near is None:
            return False
        reached |= free(near)
        todo.remove(near)
    return True
