"""Explanations for people: as text for a terminal, wrapped to its width."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.analysis.explain.english import listing
from pg3.analysis.explain.matching import goal_of
from pg3.analysis.explain.nouns import nouns_of
from pg3.analysis.explain.reading import (
    names_of,
    read_briefly,
    read_definitions,
    read_policy_aloud,
    read_rule,
    say,
    say_action,
)
from pg3.errors import pluralize
from pg3.pddl.negative_goals import unwanted_predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.analysis.explain.reasons import Reason
    from pg3.analysis.explain.steps import Explanation, PassedOver, Step
    from pg3.pddl.model import Clause, Domain
    from pg3.policy.model import DecisionList, Rule
    from pg3.semantics.datalog import Binding, Condition

# A plan up to this length is shown step by step, a longer one as a summary.
FEW = 30
# A policy up to so many rules is read out as a whole, one up to so many if there is no explanation.
_WHOLE, _SENTENCES = 6, 12
# Of a step among others so many rules that do not act; of a step alone all of them.
_PASSED_OVER = 3
# Of the last step, where no rule applies, so many rules that do not act.
_PASSED_OVER_AT_END = 12
# The most steps of a brief explanation: the first few, and the last.
_BRIEF, _BRIEF_FIRST = 100, 10
# The most steps of a cycle in a summary.
_CYCLE, _CYCLE_FIRST = 20, 10
# The most goals of a summary, one a line.
_GOALS = 12

_WIDTH = 96
_HOW_RULES_ACT = "The first rule that applies acts; what its action needs anyway is not repeated."


def tell_policy(
    policy: DecisionList, domain: Domain, explanation: Explanation | None = None
) -> str:
    """Each rule in a sentence, up to a number.

    Of a long policy with an explanation only those rules that matter in it.
    """
    if not policy.rules:
        return f"{read_policy_aloud(policy, domain)}\n"
    lines = [_HOW_RULES_ACT, ""]
    chosen = list(range(len(policy.rules)))[:_SENTENCES]
    if len(policy.rules) > _WHOLE and explanation is not None:
        chosen = _rules_that_matter(explanation)
    for number in chosen:
        rule = policy.rules[number]
        lead = f"rule {number + 1} '{rule.name}': "
        lines += [*_wrapped(lead + read_briefly(rule, domain), "", "  "), ""]
    if left := len(policy.rules) - len(chosen):
        others = [str(n + 1) for n in range(len(policy.rules)) if n not in chosen]
        which = f": {', '.join(others)}" if left <= _PASSED_OVER_AT_END else ""
        lines += _wrapped(f"... {pluralize(left, 'more rule')}{which}; pg3 show has them all", "")
        lines += [""]
    lines = lines[:-1]
    rules = [policy.rules[number] for number in chosen]
    for sentence in read_definitions(_with_definitions_of(rules, policy), domain):
        lines += ["", *_wrapped(f"definition: {sentence}", "", "  ")]
    return "\n".join(lines) + "\n"


def _rules_that_matter(explanation: Explanation) -> list[int]:
    """The rules that act at the end or come nearest to it; of a plan that ends well, most often."""
    if explanation.stops_short:
        last = explanation.end
        acting = [] if last.firing is None else [last.firing.rule]
        return sorted([*acting, *(passed.rule for passed in _nearest(last, _PASSED_OVER))])
    steps = range(1, len(explanation.plan) + 1)
    if explanation.cycle_start is not None:
        steps = steps[explanation.cycle_start - 1 :]
    firings = (explanation.firing(explanation.state(number - 1)) for number in steps[-_BRIEF:])
    fired = Counter(firing.rule for firing in firings if firing is not None)
    return sorted(rule for rule, _ in fired.most_common(_WHOLE))


def _nearest(step: Step, most: int) -> list[PassedOver]:
    """Of the rules that a step passes over those likeliest to be asked about.

    They have something to do, and miss least.
    """
    return sorted(step.passed_over, key=lambda one: (one.miss.idle, len(one.miss.false)))[:most]


def _with_definitions_of(rules: list[Rule], policy: DecisionList) -> DecisionList:
    """The policy with those definitions only that rules mention, or that such definitions do."""
    conditions = [literal for rule in rules for literal in rule.preconditions]
    kept: dict[str, list[Clause]] = {}
    for atom, _ in conditions:
        # A path is along a predicate: (reach way ?a ?b).
        for name in (atom.predicate, *atom.terms):
            if name not in kept:
                kept[name] = [clause for clause in policy.definitions if clause.name == name]
                # The loop goes on with these.
                conditions += [literal for clause in kept[name] for literal in clause.conditions]
    definitions = tuple(clause for clause in policy.definitions if kept.get(clause.name))
    return replace(policy, definitions=definitions)


def tell(explanation: Explanation) -> str:
    """The execution from first to last step: in short blocks, or as a summary if it is long."""
    blocks = _summary(explanation) if explanation.steps > FEW else _short_steps(explanation)
    lines = list(blocks)
    if explanation.stops_short:
        lines += _step(explanation, explanation.end, _PASSED_OVER_AT_END)
    elif explanation.cycle_start is not None and explanation.steps > FEW:
        cycle = range(explanation.cycle_start, explanation.steps + 1)
        lines += ["the cycle:", *_brief_steps(explanation, cycle, _CYCLE, _CYCLE_FIRST)]
    lines += _ending(explanation)
    return "\n".join(lines) + "\n"


def tell_brief(explanation: Explanation) -> str:
    """One line a step: the action, the rule, the goals. Of a long plan the first and the last."""
    lines = _brief_steps(explanation, range(1, explanation.steps + 1), _BRIEF, _BRIEF_FIRST)
    return "\n".join([*lines, *_ending(explanation)]) + "\n"


def _brief_steps(explanation: Explanation, numbers: range, most: int, first: int) -> Iterator[str]:
    """One line a step; of more than `most` steps the first few, and the last, where it ends."""
    rules = explanation.policy.rules
    is_cut = len(numbers) > most
    left_out = numbers[first : len(numbers) - (most - first)] if is_cut else range(0)
    steps = [
        explanation.step(number, near_misses=False) for number in numbers if number not in left_out
    ]
    width = max((len(str(s.firing.action)) for s in steps if s.firing is not None), default=0)
    for step in steps:
        if step.number - 1 in left_out:
            yield f"... {pluralize(len(left_out), 'more step')}"
        if step.number == explanation.cycle_start != numbers[0]:
            yield "      the cycle:"
        if step.firing is None:
            yield f"{step.number:>4}  no rule applies"
            continue
        firing = step.firing
        rule = f"{firing.rule + 1} {rules[firing.rule].name}"
        text = explanation.problem.goal_text
        for_goal = " ".join(map(text, firing.aims))
        reached = "".join(f"  reaches {text(goal)}" for goal in step.achieves)
        told = f"  for {for_goal}" if for_goal and not reached else reached
        undone = "".join(f"  undoes {text(goal)}" for goal in step.undoes)
        yield f"{step.number:>4}  {firing.action!s:{width}}  {rule}{told}{undone}"


def tell_step(explanation: Explanation, number: int) -> str:
    """One step in detail; IndexError if there is none with this number."""
    step = explanation.step(number)
    lines = list(_step(explanation, step, len(step.passed_over)))
    if step.firing is not None:
        rule = explanation.policy.rules[step.firing.rule]
        domain = explanation.problem.domain
        lines += ["", *_wrapped(f"rule {step.firing.rule + 1} reads: {read_rule(rule, domain)}")]
        names = names_of(rule, domain)
        bound = [f"the {names[v]} ({v}) is {o}" for v, o in step.firing.binding.items()]
        if bound:
            lines += _wrapped(f"here {listing(bound)}.")
        for atoms, what in ((step.added, "now true"), (step.deleted, "no longer true")):
            if atoms:
                lines += _wrapped(f"{what}: {' '.join(map(str, atoms))}")
    lines += _reasons(explanation, step)
    if number >= explanation.steps:
        lines += _ending(explanation)
    return "\n".join(lines) + "\n"


def _reasons(explanation: Explanation, step: Step) -> Iterator[str]:
    """Why derived conditions and those on paths hold or do not, rule by rule."""
    rules = explanation.policy.rules
    for rule, reasons in sorted(explanation.reasons(step).items()):
        yield ""
        yield f"derived, for rule {rule + 1} '{rules[rule].name}':"
        for reason in reasons:
            yield from _reason(reason, 1)


def _reason(reason: Reason, depth: int) -> Iterator[str]:
    lead, rest = "  " * depth, "  " * (depth + 2)
    conditions = [
        f"goal {literal}"
        if condition.of_goal and not unwanted_predicate(literal.atom.predicate)
        else str(literal)
        for condition in reason.because
        for literal in [condition.literal]
    ]
    told = []
    if conditions:
        told.append("; ".join(conditions) if reason.holds else f"false: {'; '.join(conditions)}")
    if reason.path:
        told.append(f"the path is {' '.join(reason.path)}")
    if reason.note:
        told.append(reason.note)
    verb = "holds, as" if reason.holds else "does not hold;"
    yield from _wrapped(f"{reason.atom} {verb} {'; '.join(told)}", lead, rest)
    for further in reason.further:
        yield from _reason(further, depth + 1)


def _short_steps(explanation: Explanation) -> Iterator[str]:
    for number in range(1, len(explanation.plan) + 1):
        yield from _step(explanation, explanation.step(number))


def _step(explanation: Explanation, step: Step, most: int = _PASSED_OVER) -> Iterator[str]:
    domain = explanation.problem.domain
    rules = explanation.policy.rules
    if step.firing is None:
        yield f"step {step.number}: no rule applies"
    else:
        firing = step.firing
        rule = rules[firing.rule]
        yield f"step {step.number}: {firing.action}   rule {firing.rule + 1} '{rule.name}'"
        nouns = {o: nouns_of(rule, domain)[v] for v, o in firing.binding.items()}
        words = say_action(firing.action.name, firing.action.objects, domain, nouns)
        yield from _wrapped(f"{words}{_purpose(explanation, step)}")
        if step.missing is not None:
            yield from _wrapped(f"cannot be done: it needs {step.missing}")
        if step.measure is not None:
            yield from _wrapped(f"brings the end nearer: {step.measure}")
    for passed in sorted(_nearest(step, most), key=lambda passed: passed.rule):
        yield from _wrapped(tell_passed_over(passed, rules[passed.rule], domain))
    if len(step.passed_over) > most:
        more = pluralize(len(step.passed_over) - most, "more rule")
        before = "" if step.firing is None else " before it"
        yield f"  nor {more}{before}; --step {step.number} tells why"


def _purpose(explanation: Explanation, step: Step) -> str:
    """The goal that a step serves: the one the rule names, else the next one the plan reaches."""
    assert step.firing is not None
    parts = []
    text = explanation.problem.goal_text
    wanted = [text(goal) for goal in step.firing.aims]
    if wanted:
        reached = all(goal in step.achieves for goal in step.firing.aims)
        parts.append(f"for the goal {listing(wanted)}{', now reached' if reached else ''}")
    elif step.next_goal is not None:
        goal, at = step.next_goal
        when = "reached with it" if at == step.number else f"reached in step {at}"
        parts.append(f"the rule names no goal; the next is {text(goal)}, {when}")
    others = [text(goal) for goal in step.achieves if goal not in step.firing.aims]
    if wanted and others:
        parts.append(f"also reaches {listing(others)}")
    if step.undoes:
        parts.append(f"undoes {listing(map(text, step.undoes))}")
    return "".join(f"; {part}" for part in parts)


def tell_passed_over(passed: PassedOver, rule: Rule, domain: Domain) -> str:
    """Why a rule does not apply, in one sentence."""
    lead = f"not rule {passed.rule + 1} '{rule.name}': "
    miss = passed.miss
    if miss.binding is None:
        return lead + "there are not enough objects of its types"
    reasons = [_false(condition, rule, domain, miss.binding) for condition in miss.false]
    bound = ", ".join(f"{v} = {o}" for v, o in miss.binding.items())
    near = f"with {bound}: " if bound else ""
    return f"{lead}{near}{listing(reasons)}{'' if miss.certain else ' (nearest found)'}"


def _false(condition: Condition, rule: Rule, domain: Domain, binding: Binding) -> str:
    """The opposite of a false condition, in words."""
    nouns = {o: nouns_of(rule, domain)[v] for v, o in binding.items()}
    if condition.of_goal:
        verb = "does not ask for" if condition.literal.positive else "asks for"
        return f"the goal {verb} {goal_of(condition.literal.atom)}"
    return say(condition.literal.negated, domain, nouns)


def _summary(explanation: Explanation) -> Iterator[str]:
    plan, rules = explanation.plan, explanation.policy.rules
    yield f"{pluralize(len(plan), 'step')}; --step K tells all about one of them"
    fired = Counter(explanation.fired())
    for number, times in sorted(fired.items()):
        yield f"  rule {number + 1} '{rules[number].name}': {pluralize(times, 'step')}"
    if len(fired) < len(rules):
        yield f"  {pluralize(len(rules) - len(fired), 'other rule')}: no step"
    text = explanation.problem.goal_text
    for number, goal in explanation.achieved[:_GOALS]:
        yield f"  step {number} reaches the goal {text(goal)}"
    if len(explanation.achieved) > _GOALS:
        number, goal = explanation.achieved[-1]
        more = len(explanation.achieved) - _GOALS
        yield f"  ... {more} more goals; step {number} reaches {text(goal)}"


def _ending(explanation: Explanation) -> Iterator[str]:
    last = explanation.state(len(explanation.plan))
    open_goals = explanation.open_goals(last)
    yield from _wrapped(
        f"stopped after {pluralize(len(explanation.plan), 'step')}: {explanation.ending}", "", "  "
    )
    if open_goals:
        shown = " ".join(map(explanation.problem.goal_text, open_goals[:_GOALS]))
        more = f" and {len(open_goals) - _GOALS} more" if len(open_goals) > _GOALS else ""
        yield from _wrapped(f"open goals: {shown}{more}")
    if nobodys := explanation.goals_of_no_rule(open_goals):
        shown = " ".join(map(explanation.problem.goal_text, nobodys[:_GOALS]))
        more = f" and {len(nobodys) - _GOALS} more" if len(nobodys) > _GOALS else ""
        these = "this goal" if len(nobodys) == 1 else "these goals"
        yield from _wrapped(f"no rule has {these}: {shown}{more}")
    if open_goals and (never := explanation.actions_of_no_rule):
        shown = ", ".join(never[:_GOALS])
        more = f" and {len(never) - _GOALS} more" if len(never) > _GOALS else ""
        yield from _wrapped(f"no rule does {'this' if len(never) == 1 else 'these'}: {shown}{more}")


def _wrapped(text: str, first: str = "  ", others: str = "    ") -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
