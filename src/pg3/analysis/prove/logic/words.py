"""The class of a proof in words: what a problem must be like to be one of those that are solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import ATOMS, Formula, Term, free, terms_of
from pg3.analysis.prove.logic.invariants import Count, Invariant
from pg3.errors import pluralize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.analysis.prove.logic.invariants import AnyInvariant, Level
    from pg3.analysis.prove.logic.theory import Theory

Labels = dict[Term, str]

_OF_A_RELATION = {
    "irreflexive": "never relates an object to itself",
    "reflexive": "relates every object to itself",
    "asymmetric": "never holds both ways",
    "symmetric": "holds both ways",
    "total": "holds between any two objects, one way at least",
    "all pairs": "holds between any two different objects",
    "transitive": "is transitive",
    "no circle": "never leads in a circle",
    "linear": "is linear: what it relates to one object is related among itself",
}


def class_in_words(
    theory: Theory, acyclic: Sequence[str], invariants: Sequence[AnyInvariant]
) -> list[str]:
    """Conditions, each on a line; a problem that satisfies all of them is in the class."""
    lines = [f"there is at least one {_listed(list(theory.kinds), 'and')}"]
    goals = [_pattern(p, kinds) for p, *kinds in sorted(theory.given.goal)]
    goals += [f"(not {_pattern(p, kinds)})" for p, *kinds in sorted(theory.given.avoid)]
    if goals:
        lines.append(f"every goal is of the form {_listed(goals, 'or')}")
    else:
        lines.append("there are no goals")
    facts = [_pattern(p, k) for p, *k in sorted(theory.given.init) if p not in theory.marks]
    lines.append(f"every fact is of the form {_listed(facts, 'or')}")
    lines += [
        f"{'the ' if relation.startswith('goal ') else ''}{relation} never leads in a circle"
        for relation in acyclic
    ]
    lines += list(dict.fromkeys(invariant_in_words(theory, one) for one in invariants))
    return lines


def invariant_in_words(theory: Theory, invariant: AnyInvariant) -> str:
    """One condition."""
    if isinstance(invariant, Count):
        *more, fewer = (set_in_words(one.variables, one.formula) for one in invariant.sets)
        return f"there are at least as many {' plus '.join(more)} as {fewer}"
    if isinstance(invariant, Invariant):
        return _formula(invariant)
    return _level(invariant)


def _pattern(predicate: str, kinds: Sequence[str]) -> str:
    return f"({' '.join((predicate, *kinds))})"


def _listed(parts: Sequence[str], word: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def set_in_words(variables: Sequence[Term], formula: Formula) -> str:
    """The objects that satisfy a formula."""
    return _say(formula, _labelled(variables, {}))


def _level(level: Level) -> str:
    rung = level.level_kinds[1 - level.level_owner]
    owner = level.level_kinds[level.level_owner]
    return (
        f"{level.chain} leads from each {rung} to at most one and never in a circle, and from the "
        f"{rung} of {_pattern(level.level, level.level_kinds)} it leads on at least as many "
        f"times as there are {_pattern(level.content, level.content_kinds)} for the {owner}"
    )


def _formula(invariant: Invariant) -> str:
    formula = invariant.formula
    if formula[0] != "forall":
        return _say(formula, {})
    _, variables, body = formula
    parts = body[1] if body[0] == "or" else (body,)
    given = [part[1] for part in parts if part[0] == "not"]
    then = [part for part in parts if part[0] != "not"]
    if invariant.kind in _OF_A_RELATION:
        atom = next(part for part in (*given, *then) if part[0] in ATOMS)
        name = f"the goal {atom[1]}" if atom[0] != "state" else atom[1]
        return f"{name} {_OF_A_RELATION[invariant.kind]}"
    if invariant.kind == "few":
        number = len(variables) - 1
        return f"there is at most {pluralize(number, variables[0].kind)}"
    labels = _labelled(variables, {})
    if invariant.kind in ("at most one", "determined"):
        return _at_most_one(given[0], then[0][1], given, labels)
    if not given:
        return f"for each {_listed(list(labels.values()), 'and')}: {_any(then, labels)}"
    if not then:
        if len(given) == 1:
            return f"never {_say(given[0], labels)}"
        return f"never both {' and '.join(_say(part, labels) for part in given)}"
    return f"if {' and '.join(_say(p, labels) for p in given)}, then {_any(then, labels)}"


def _at_most_one(atom: Formula, varied: Term, given: Sequence[Formula], labels: Labels) -> str:
    terms = terms_of(atom) or ()
    shared = free(given[0]) & free(given[1])
    keys = [labels[t] for t in terms if t in shared]
    said = _say(
        atom,
        {t: t.kind for t in terms} if len({*terms}) == len({t.kind for t in terms}) else labels,
    )
    place = varied.kind
    if not keys:
        return f"there is at most one {place} with {said}"
    return f"for each {_listed(keys, 'and')} there is at most one {place} with {said}"


def _any(parts: Sequence[Formula], labels: Labels) -> str:
    return " or ".join(_say(part, labels) for part in parts)


def _labelled(variables: Sequence[Term], known: Mapping[Term, str]) -> Labels:
    """A name for each variable: its kind, with a number where there are several."""
    labels = dict(known)
    for variable in variables:
        number = 1 + sum(other.kind == variable.kind for other in labels)
        labels[variable] = variable.kind if number == 1 else f"{variable.kind}{number}"
    return labels


def _say(formula: Formula, labels: Mapping[Term, str]) -> str:
    word = formula[0]
    if word == "=":
        one, other = (labels.get(t, t.name) for t in formula[1:])
        return f"{one} is {other}"
    if word == "not":
        return f"not {_say(formula[1], labels)}"
    if word == "and":
        return " and ".join(_say(part, labels) for part in formula[1])
    if word == "or":
        return " or ".join(_say(part, labels) for part in formula[1])
    terms = terms_of(formula)
    if terms is None:
        inner = _labelled(formula[1], labels)
        names = [inner[v] for v in formula[1]]
        each = "some" if word == "exists" else "each"
        return f"({_say(formula[2], inner)} for {each} {_listed(names, 'and')})"
    names = [labels.get(t, t.name) for t in terms]
    if word == "path":
        if formula[1] in ("reach", "linked"):
            return f"{names[-1]} can be reached from {names[-2]} along {formula[2]}"
        word = "" if formula[1] == "derived" else f"{formula[1]} "
        return _pattern(f"{word}{formula[2]}", names)
    atom = _pattern(formula[1], names)
    return {"goal": f"the goal {atom}", "avoid": f"the goal (not {atom})"}.get(word, atom)
