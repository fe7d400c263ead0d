"""Which approvals count: N of M, one person once, the requester never, named approvers only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.core.approvals import MAX_NEEDED, ApprovalRule, counted, missing, strictest

people = st.sampled_from(["anna", "ANNA", "ben", "carl", "dora", "eve", "nora", "Nora"])
rules = st.builds(
    ApprovalRule, needed=st.integers(1, MAX_NEEDED), approvers=st.lists(people, unique=True, max_size=4).map(tuple)
)


def _are_one(one: str, other: str) -> bool:
    return one.lower() == other.lower()


@given(rules, st.lists(people, max_size=9), people)
def test_counted__anything_given__different_persons_named_and_never_the_requester(
    rule: ApprovalRule, approvals: list[str], requester: str
) -> None:
    found = counted(rule, approvals, (requester, ""), _are_one)
    persons = {name.lower() for name in found}
    assert len(persons) == len(found)
    assert requester.lower() not in persons
    if rule.approvers:
        assert persons <= {name.lower() for name in rule.approvers}
    assert missing(rule, approvals, (requester,), _are_one) == max(0, rule.needed - len(persons))


@given(rules, st.lists(people, max_size=9), people, people)
def test_missing__one_more_approval__at_most_one_less(
    rule: ApprovalRule, approvals: list[str], requester: str, further: str
) -> None:
    before = missing(rule, approvals, (requester,), _are_one)
    after = missing(rule, [*approvals, further], (requester,), _are_one)
    assert before - 1 <= after <= before


@given(rules, rules, st.lists(people, max_size=6), people)
def test_weaker__releases_what_the_other_would_not__is_seen_as_weaker(
    one: ApprovalRule, other: ApprovalRule, approvals: list[str], requester: str
) -> None:
    """Names are compared as stored: a spelling that is another one counts as weaker, which is the safe side."""
    releases = missing(one, approvals, (requester,), _are_one) == 0
    if releases and missing(other, approvals, (requester,), _are_one) > 0:
        assert one.is_weaker_than(other)


@given(st.lists(rules, min_size=1, max_size=3), st.lists(people, max_size=6), people)
def test_strictest__releases_a_run__each_rule_would(
    several: list[ApprovalRule], approvals: list[str], requester: str
) -> None:
    found = strictest(several, _are_one)
    if found is not None and missing(found, approvals, (requester,), _are_one) == 0:
        assert [missing(rule, approvals, (requester,), _are_one) for rule in several] == [0] * len(several)


def test_strictest__too_few_in_common__none_rather_than_anybody() -> None:
    anna, both = ApprovalRule(1, ("anna",)), ApprovalRule(1, ("anna", "ben"))
    assert strictest([anna, ApprovalRule(1, ("ben",))], _are_one) is None
    assert strictest([both, ApprovalRule(2, ("ben", "carl"))], _are_one) is None
    assert strictest([both, ApprovalRule(2, ("anna", "ANNA"))], _are_one) is None
    assert strictest([ApprovalRule(2), both], _are_one) == ApprovalRule(2, ("anna", "ben"))
    assert strictest([ApprovalRule(3), ApprovalRule(2)], _are_one) == ApprovalRule(3)


def test_rule__stored_and_read__the_same_and_null_where_an_earlier_version_knows_it() -> None:
    for rule in (ApprovalRule(), ApprovalRule(3), ApprovalRule(1, ("ben",))):
        assert ApprovalRule.from_json(rule.to_json()) == rule
    assert ApprovalRule().to_json() is None
