"""A rule, and a whole policy, in English.

The words come from the names in the domain and from the structure of the rule (see `english` and
`nouns`); nothing is known about particular domains. "A location" and "a second location" may be the
same object unless the text says that they differ, as in the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pg3.analysis.explain.english import capital, indefinite, listing
from pg3.analysis.explain.nouns import (
    goal_place,
    is_goal_place,
    is_kind_condition,
    nouns_of,
    own_words,
)
from pg3.analysis.explain.phrases import action_phrase, clause, leaving_and_arriving
from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.policy.derived import ANYTHING, REACH, is_anything, is_graph
from pg3.policy.model import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.analysis.explain.english import Clause as Sentence
    from pg3.analysis.explain.phrases import Naming
    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def read_rule(rule: Rule, domain: Domain) -> str:
    """One sentence, e.g. "Debark a car at the location where the goal wants it, if …"."""
    return capital(_Teller(rule, domain).tell()) + "."


def read_briefly(rule: Rule, domain: Domain) -> str:
    """The sentence without what the action needs anyway: who can debark a car has it on board."""
    return read_rule(_without_the_needed(rule, domain), domain)


def read_policy_aloud(policy: DecisionList, domain: Domain) -> str:
    """A numbered list, one line a rule: each is for the states where those before do not apply."""
    if not policy.rules:
        return "Do nothing: there are no rules."
    told = (read_briefly(rule, domain) for rule in policy.rules)
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(told, 1))


def _without_the_needed(rule: Rule, domain: Domain) -> Rule:
    schema = domain.action(rule.action)
    needed = set(schema.ground(rule.arguments).precondition)
    kept = tuple(
        literal
        for literal in rule.preconditions
        if literal not in needed or is_kind_condition(literal, domain)
    )
    # Parameters that only such conditions mention are left out.
    used = {term for atom, _ in (*kept, *rule.goals) for term in atom.terms}.union(rule.arguments)
    parameters = tuple(p for p in rule.parameters if p.name in used)
    return replace(rule, preconditions=kept, parameters=parameters)


def names_of(rule: Rule, domain: Domain) -> dict[str, str]:
    """What the reading of a rule calls each of its parameters, e.g. {"?l": "goal location"}."""
    teller = _Teller(rule, domain)
    teller.tell()
    return {p.name: teller.known_as(p.name) for p in rule.parameters}


def read_definitions(policy: DecisionList, domain: Domain) -> list[str]:
    """A sentence for each derived predicate: "A block is unsettled if ...; or if ..."."""
    told: dict[str, str] = {}
    for definition in policy.definitions:
        rule = Rule(
            definition.name,
            (*definition.parameters, *definition.variables),
            definition.conditions,
            definition.goals,
            "",
            (),
        )
        teller = _Teller(rule, domain)
        head = Atom(definition.name, tuple(p.name for p in definition.parameters))
        what, body = teller.tell_clause(head)
        told[definition.name] = (
            f"{told[definition.name]}; or {body}"
            if definition.name in told
            else f"{capital(what)} {body}"
        )
    return [f"{text}." for text in told.values()]


def say(literal: Literal, domain: Domain, nouns: dict[str, str]) -> str:
    """A ground condition in words, with the names and kinds of the objects."""
    if any(is_anything(term, domain) for term in literal.atom.terms):
        if not literal.positive:
            return str(_nothing(literal.atom, domain, str, nouns))
        something = Atom(
            literal.atom.predicate,
            tuple("something" if t == ANYTHING else t for t in literal.atom.terms),
        )
        return str(clause(something, domain, str, nouns))
    told = clause(literal.atom, domain, str, nouns)
    return str(told) if literal.positive else told.negated()


def _nothing(atom: Atom, domain: Domain, call: Naming, nouns: dict[str, str]) -> Sentence:
    """That no object makes an atom with `_` true: "nothing is on the block"."""
    words = iter(["nothing", *["anything"] * len(atom.terms)])
    return clause(atom, domain, lambda t: next(words) if is_anything(t, domain) else call(t), nouns)


def say_action(name: str, objects: tuple[str, ...], domain: Domain, nouns: dict[str, str]) -> str:
    """A ground action in words; `nouns` has the kind of each object."""
    return action_phrase(name, objects, domain, str, nouns)


@dataclass
class _Teller:
    """Puts one rule into words, and remembers what was mentioned."""

    rule: Rule
    domain: Domain
    mentioned: list[str] = field(default_factory=list)
    last: str | None = None

    def __post_init__(self) -> None:
        self.nouns = nouns_of(self.rule, self.domain)
        self.places = goal_place(self.rule)
        self.way: dict[str, str] = {}
        if self.rule.action:
            self.way = leaving_and_arriving(self.rule.action, self.rule.arguments, self.domain)
        self.names = self._names()

    def _names(self) -> dict[str, str]:
        """A name for each parameter: its noun, and what distinguishes it from others."""
        names: dict[str, str] = {}
        kinds = list(self.nouns.values())
        for variable, noun in self.nouns.items():
            own = own_words(variable)
            if variable in self.places:
                names[variable] = f"goal {noun}"
            elif own and noun != own and not noun.startswith(own):
                names[variable] = own if own.endswith(noun) else f"{own} {noun}"
            elif variable in self.way and kinds.count(noun) > 1:
                names[variable] = f"{self.way[variable]} {noun}"
            else:
                names[variable] = noun
        return names

    def tell(self) -> str:
        """The rule without a capital letter and a full stop."""
        action = action_phrase(
            self.rule.action, self.rule.arguments, self.domain, self.call, self.nouns
        )
        conditions = [*self._conditions(), *self._goals()]
        text = f"{action}, if {listing(conditions)}" if conditions else action
        # Parameters that were not mentioned only have to exist.
        silent = [p.name for p in self.rule.parameters if p.name not in self.mentioned]
        if silent:
            there = listing([self.call(name) for name in silent])
            text += f"{' and' if conditions else ', if'} there is {there}"
        return text

    def tell_clause(self, head: Atom) -> tuple[str, str]:
        """Of a definition what it says, and when: "a block is unsettled", "if ..."."""
        what = str(clause(head, self.domain, self.call, self.nouns))
        conditions = [*self._conditions(), *self._goals()]
        silent = [p.name for p in self.rule.parameters if p.name not in self.mentioned]
        conditions += [f"there is {self.call(name)}" for name in silent]
        return what, f"if {listing(conditions)}" if conditions else "always"

    def _conditions(self) -> Iterable[str]:
        wanted = {literal.atom for literal in self.rule.goals if literal.positive}
        shown = [
            literal
            for literal in self.rule.preconditions
            if not (is_kind_condition(literal, self.domain) and self._is_named(literal))
            and not self._is_empty_path(literal)
        ]
        # Positions first, negations last: easier to follow.
        for literal in sorted(shown, key=lambda literal: not literal.positive):
            yield self._say(literal, "yet" if literal.atom in wanted else "")

    def _is_empty_path(self, literal: Literal) -> bool:
        """Whether a condition says that something is within reach of itself, as all things are."""
        atom = literal.atom
        return (
            literal.positive
            and atom.predicate == REACH
            and is_graph(atom, self.domain)
            and atom.terms[-1] == atom.terms[-2]
        )

    def _is_named(self, literal: Literal) -> bool:
        """Whether the noun of the variable says what the condition says."""
        variable = literal.atom.terms[0]
        return variable in self.nouns

    def _say(self, literal: Literal, adverb: str) -> str:
        atom = literal.atom
        if atom.predicate == EQUALS and not literal.positive:
            return f"{self.call(atom.terms[0])} is not {self.call(atom.terms[1])}"
        if any(is_anything(term, self.domain) for term in atom.terms):
            return str(_nothing(atom, self.domain, self.call, self.nouns))
        told = clause(atom, self.domain, self.call, self.nouns)
        return str(told) if literal.positive else told.negated(adverb)

    def _goals(self) -> Iterable[str]:
        for atom, positive in self.rule.goals:
            if positive and is_goal_place(atom, self.places):
                if atom.terms[1] not in self.mentioned:
                    yield f"there is {self.call(atom.terms[1])}"
                continue
            if unwanted := unwanted_predicate(atom.predicate):
                told = clause(Atom(unwanted, atom.terms), self.domain, self.call, self.nouns)
                verb = "wants" if positive else "does not ask for"
                yield f"the goal {verb} {told.wanted(positive=False)}"
                continue
            if any(is_anything(term, self.domain) for term in atom.terms):
                told = _nothing(atom, self.domain, self.call, self.nouns)
                yield f"the goal wants {told.wanted()}"
                continue
            told = clause(atom, self.domain, self.call, self.nouns)
            yield f"the goal {'wants' if positive else 'does not ask for'} {told.wanted()}"

    def call(self, term: str) -> str:
        """The name of a term at this point of the sentence."""
        if term not in self.names:
            return term
        before = list(self.mentioned)
        last, self.last = self.last, term
        if term in before:
            return f"the {self.known_as(term)}"
        if term in self.places:
            thing = self.places[term]
            who = "it" if last == thing else self.call(thing)
            self.mentioned.append(term)
            self.last = term
            return f"the {self.nouns[term]} where the goal wants {who}"
        self.mentioned.append(term)
        if self.names[term].startswith(("current ", "next ")):
            return f"the {self.known_as(term)}"
        place = [name for name in before if self.names[name] == self.names[term]]
        if not place:
            return indefinite(self.names[term])
        return f"a {_ordinal(len(place))} {self.names[term]}"

    def known_as(self, term: str) -> str:
        """The name of a term after its first mention, with "first" if there will be a second."""
        name = self.names[term]
        alike = [other for other, same in self.names.items() if same == name]
        if len(alike) == 1:
            return name
        order = [other for other in self.mentioned if other in alike]
        order += [other for other in alike if other not in order]
        return f"{_ordinal(order.index(term))} {name}"


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"
