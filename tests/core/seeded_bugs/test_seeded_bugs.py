"""Every safety rule, taken out: what it prevents then happens. A rule that would not be missed is not a rule."""

from __future__ import annotations

import pytest

from tests.core.builders.examples import SEED
from tests.core.seeded_bugs.harnesses import HARNESSES, Harness
from tests.core.seeded_bugs.mutants import Copy, copy_with
from tests.core.seeded_bugs.page import PREVENTED, RULES
from tests.core.seeded_bugs.rule import Rule


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule__in_place__holds(rule: Rule) -> None:
    assert rule.holds(Copy())  # of nothing changed: the modules themselves


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule__taken_out__is_missed(rule: Rule) -> None:
    with copy_with(*rule.changes) as core:
        assert not rule.holds(core)


@pytest.fixture(autouse=True)
def same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a harness sees dependably is said of the worlds it always draws; with others it may take more of them."""
    monkeypatch.delenv(SEED, raising=False)


CAUGHT = [(harness, name) for harness in HARNESSES for name in harness.caught]


@pytest.mark.slow
@pytest.mark.parametrize(("harness", "name"), CAUGHT, ids=lambda one: getattr(one, "name", one))
def test_harness__rule_taken_out__its_judge_speaks(harness: Harness, name: str) -> None:
    rule = next(rule for rule in RULES if rule.name == name)
    with copy_with(*rule.changes) as core, pytest.raises(AssertionError, match=harness.caught[name]):
        harness.run(core, harness.most)


@pytest.mark.slow
@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_harness__every_rule_in_place__says_nothing(harness: Harness) -> None:
    with copy_with() as core:
        harness.run(core, harness.most // 30)


def test_rules__each__says_what_it_prevents() -> None:
    assert {rule.name for rule in RULES} == set(PREVENTED)
