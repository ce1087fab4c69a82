"""Triangle tables: on plans small enough to check by eye, and on random ones."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.operators.triangle_tables.triangle_table import INITIAL, Step, TriangleTable
from pg3.pddl.model import OBJECT, Action, Atom, Domain, Literal, Predicate, Type
from pg3.pddl.plans import GroundAction
from tests.oracle import semantics
from tests.support.errands import ERRANDS, FETCH, literals, parameters
from tests.support.random_problems import problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.oracle.semantics import Instance, State


def atoms(text: str) -> frozenset[Atom]:
    return frozenset(literal.atom for literal in literals(text))


def step(name: str, needs: str = "", adds: str = "", deletes: str = "") -> Step:
    """A step as one sees fit, without a domain."""
    conditions = literals(needs)
    return Step(
        GroundAction(name),
        conditions,
        tuple(atom for atom, positive in conditions if positive),
        atoms(adds),
        atoms(deletes),
    )


def table(initial: str, *steps: Step) -> TriangleTable:
    return TriangleTable(atoms(initial), steps)


def fetching() -> TriangleTable:
    """Wake up, drive to the shop, load the box, drive home, unload it."""
    plan = [
        "wake",
        "go van home shop",
        "load box van shop",
        "go van shop home",
        "unload box van home",
    ]
    words = [line.split() for line in plan]
    steps = [Step.of(GroundAction(name, tuple(objects)), ERRANDS) for name, *objects in words]
    return TriangleTable(frozenset(FETCH.init), tuple(steps))


# -- steps -----------------------------------------------------------------------------------------


def test_step_of_an_action() -> None:
    go = fetching().steps[1]
    assert go.action == GroundAction("go", ("van", "home", "shop"))
    assert go.conditions == literals(
        "at van home, not = home shop, road home shop, not shut shop, not resting"
    )
    assert set(go.needs) == atoms("at van home, road home shop")
    assert go.inequalities == literals("not = home shop")
    assert (go.adds, go.deletes) == (atoms("at van shop"), atoms("at van home"))


def test_inequality_has_its_terms_in_order() -> None:
    assert fetching().steps[3].inequalities == literals("not = home shop")


def test_odd_schemas() -> None:
    domain = Domain(
        "odd",
        (Type(OBJECT, ()),),
        (),
        (Predicate("p", parameters("?x:object")),),
        (
            Action(
                "touch",
                parameters("?x:object ?y:object"),
                literals("p ?x, p ?y, = ?x ?y"),
                literals("p ?x, not p ?y"),
            ),
        ),
    )
    touch = Step.of(GroundAction("touch", ("a", "a")), domain)
    # Each condition once, nothing about an object being itself, adding after deleting.
    assert touch.conditions == literals("p a")
    assert (touch.adds, touch.deletes) == (atoms("p a"), frozenset())


# -- cells and links -------------------------------------------------------------------------------


def test_cells_of_a_plan() -> None:
    errand = fetching()
    assert set(errand.cell(1, INITIAL)) == atoms("at van home, road home shop")
    assert errand.cell(1, 0) == ()
    assert set(errand.cell(2, INITIAL)) == atoms("at box shop")
    assert set(errand.cell(2, 1)) == atoms("at van shop")
    assert set(errand.cell(3, 1)) == atoms("at van shop")
    assert set(errand.cell(4, 2)) == atoms("in box van")
    assert set(errand.cell(4, 3)) == atoms("at van home")
    assert errand.cell(4, INITIAL) == ()
    assert errand.consumers == ((), (2, 3), (4,), (4,), ())
    assert errand.dependencies(4) == (2, 3)
    assert errand.dependencies(0) == ()


def test_last_of_two_that_add_an_atom_supplies_it() -> None:
    plan = table("", step("a", adds="p"), step("b", adds="p"), step("c", needs="p"))
    assert plan.suppliers[2] == {Atom("p"): 1}
    assert plan.consumers == ((), (2,), ())


def test_initial_atom_that_is_added_again() -> None:
    plan = table("p", step("a", needs="p"), step("b", adds="p"), step("c", needs="p"))
    assert plan.suppliers == ({Atom("p"): INITIAL}, {}, {Atom("p"): 1})


def test_deleted_and_restored() -> None:
    plan = table(
        "p",
        step("a", needs="p", deletes="p"),
        step("b", adds="p"),
        step("c", needs="p", deletes="p"),
        step("d", adds="p"),
        step("e", needs="p"),
    )
    assert [row.get(Atom("p")) for row in plan.suppliers] == [INITIAL, None, 1, None, 3]


def test_negative_preconditions_have_no_links() -> None:
    plan = table("p", step("a", deletes="p"), step("b", needs="not p", adds="q"))
    assert plan.suppliers == ({}, {})
    assert plan.consumers == ((), ())


@pytest.mark.parametrize(
    "plan",
    [
        table("", step("a", needs="p")),
        table("p", step("b", deletes="p"), step("a", needs="p")),
        table("", step("c", adds="p"), step("b", deletes="p"), step("a", needs="p")),
    ],
)
def test_plan_that_cannot_be_done(plan: TriangleTable) -> None:
    with pytest.raises(ValueError, match=r"^\(p\) is false when \(a\) is done$"):
        _ = plan.suppliers


def test_empty_plan() -> None:
    empty = table("p")
    assert (empty.suppliers, empty.consumers) == ((), ())
    assert empty.holds(Atom("p"), 0)
    assert empty.achiever(Atom("p")) is None
    assert empty.preimage([], atoms("p")) == (Atom("p"),)


# -- what holds, and since when --------------------------------------------------------------------


def test_holds() -> None:
    plan = table("p", step("a", deletes="p", adds="q"), step("b", adds="p"))
    assert [plan.holds(Atom("p"), k) for k in range(3)] == [True, False, True]
    assert [plan.holds(Atom("q"), k) for k in range(3)] == [False, True, True]


def test_achiever_is_the_last_to_make_it_true() -> None:
    on, off = step("on", adds="p"), step("off", deletes="p")
    p = Atom("p")
    assert table("", on).achiever(p) == 0
    assert table("", on, on).achiever(p) == 0
    assert table("", on, off, on, on).achiever(p) == 2
    assert table("p", on).achiever(p) is None
    assert table("p", off, on).achiever(p) == 1
    assert table("", on, off).achiever(p) is None


# -- subsequences and preimages --------------------------------------------------------------------


def test_edited_subsequence_keeps_what_the_end_depends_on() -> None:
    plan = table(
        "",
        step("a", adds="p"),
        step("idle", adds="z"),
        step("b", needs="p", adds="q"),
        step("c", needs="z"),
        step("d", needs="q"),
    )
    assert plan.edited(0, 4) == (0, 2, 4)
    assert plan.edited(1, 4) == (1, 2, 4)
    assert plan.edited(2, 4) == (2, 4)
    assert plan.edited(4, 4) == (4,)


def test_preimage_by_regression() -> None:
    errand = fetching()
    home = atoms("at box home")
    assert errand.preimage([4], home) == tuple(
        literal.atom for literal in literals("in box van, at van home")
    )
    assert errand.preimage([3, 4], home) == tuple(
        literal.atom for literal in literals("at van shop, road shop home, in box van")
    )
    assert errand.preimage([1, 2, 3, 4], home) == tuple(
        literal.atom
        for literal in literals("at van home, road home shop, at box shop, road shop home")
    )
    # A fact that the steps do not bring about must be there before.
    assert set(errand.preimage([0], home) or ()) == atoms("resting, at box home")


def test_no_preimage_without_the_step_that_restores() -> None:
    plan = table("p", step("a", deletes="p"), step("b", adds="p"), step("c", needs="p"))
    assert plan.preimage([0, 1, 2]) == ()
    assert plan.preimage([0, 2]) is None
    assert plan.preimage([0], atoms("p")) is None


# -- random plans ----------------------------------------------------------------------------------


class Run(NamedTuple):
    """A plan with the states around its actions, by the oracle's account."""

    table: TriangleTable
    instances: tuple[Instance, ...]
    states: tuple[State, ...]


@st.composite
def runs(draw: st.DrawFn) -> Run:
    problem = draw(problems())
    instances = semantics.instances(problem)
    states, plan = [semantics.initial_state(problem)], []
    for _ in range(draw(st.integers(1, 8))):
        choices = [one for one in instances if one.applicable(states[-1])]
        if not choices:
            break
        plan.append(draw(st.sampled_from(choices)))
        states.append(plan[-1].successor(states[-1]))
    steps = tuple(Step.of(one.action, problem.domain) for one in plan)
    return Run(TriangleTable(states[0], steps), tuple(plan), tuple(states))


def succeeds(run: Run, subsequence: Sequence[int], start: State, facts: Sequence[Atom]) -> bool:
    """Whether the steps can be done and end in the facts; no look at negative preconditions."""
    state = start
    for k in subsequence:
        if not run.instances[k].positive <= state:
            return False
        state = run.instances[k].successor(state)
    return state.issuperset(facts)


def check_steps(run: Run) -> None:
    """They are the oracle's actions."""
    for mine, theirs in zip(run.table.steps, run.instances, strict=True):
        assert set(mine.needs) == theirs.positive
        negative = set(mine.conditions) - set(map(Literal, mine.needs)) - set(mine.inequalities)
        assert negative == {Literal(atom, False) for atom in theirs.negative}
        assert mine.adds == theirs.adds
        assert mine.deletes == theirs.deletes - theirs.adds


def check_suppliers(run: Run) -> None:
    """A supplier adds what then stays until it is needed, and nobody adds it again."""
    for k, row in enumerate(run.table.suppliers):
        assert set(row) == run.instances[k].positive
        for atom, source in row.items():
            assert source == INITIAL or atom in run.instances[source].adds
            assert all(atom in state for state in run.states[source + 1 : k + 1])
            assert not any(atom in one.adds for one in run.instances[source + 1 : k])


def check_times(run: Run) -> None:
    """What holds when, and since when for good."""
    everything = sorted(frozenset().union(*run.states))
    for atom in everything:
        truth = [atom in state for state in run.states]
        assert [run.table.holds(atom, k) for k in range(len(truth))] == truth
        achiever = run.table.achiever(atom)
        if achiever is None:
            assert all(truth) or not truth[-1]
        else:
            assert not truth[achiever]
            assert all(truth[achiever + 1 :])


def check_preimages(run: Run) -> None:
    """They held where the plan did the steps."""
    for first, last in itertools.combinations_with_replacement(range(len(run.instances)), 2):
        facts = sorted(run.states[last + 1])
        preimage = run.table.preimage(range(first, last + 1), facts)
        assert preimage is not None
        assert run.states[first].issuperset(preimage)

        facts = sorted(run.instances[last].adds)
        preimage = run.table.preimage(run.table.edited(first, last), facts)
        assert preimage is not None
        assert run.states[first].issuperset(preimage)


@given(runs())
def test_random_plans(run: Run) -> None:
    # One test, since drawing plans takes longer than looking at them.
    check_steps(run)
    check_suppliers(run)
    check_times(run)
    check_preimages(run)


@given(runs(), st.data())
def test_preimage_is_enough_and_not_more(run: Run, data: st.DataObject) -> None:
    everything = sorted(frozenset().union(*run.states))
    chosen = data.draw(st.sets(st.sampled_from(range(len(run.instances))))) if run.instances else ()
    some = st.sets(st.sampled_from(everything)) if everything else st.just(set[Atom]())
    facts = sorted(data.draw(some))
    subsequence = sorted(chosen)
    preimage = run.table.preimage(subsequence, facts)
    if preimage is None:
        return
    assert succeeds(run, subsequence, frozenset(preimage) | data.draw(some), facts)
    for atom in preimage:
        assert not succeeds(run, subsequence, frozenset(preimage) - {atom}, facts)
