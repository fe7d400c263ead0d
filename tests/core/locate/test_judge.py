"""The judge over every combination of what four families can say."""

from __future__ import annotations

from itertools import product

from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.judge import judge
from tests.core.builders.examples import moments

Say = tuple[bool | None, int | None, bool]
SAYS: tuple[Say, ...] = (
    (None, None, False),
    (False, None, False),
    (True, 7, False),
    (True, 8, False),
    (True, None, True),
    (True, 7, True),
)
"""Cannot say; disagrees; names 7; names another place; a bound that holds; a bound that names a position."""


PIECES = {
    (family, say): Evidence(family, say[0], f"{family} speaks", index=say[1], is_bound=say[2])
    for family, say in product(Family, SAYS)
}


def evidence(says: tuple[Say, ...]) -> list[Evidence]:
    """One piece a family."""
    return [PIECES[pair] for pair in zip(Family, says, strict=True)]


def test_judge__every_combination__proven_only_by_two_families_one_of_them_content() -> None:
    proven = 0
    every = tuple(product(SAYS, repeat=len(Family)))
    for each in moments(len(every), 0, one_in=5):  # no divisor of what a family can say: each says each
        says = every[each]
        verdict = judge(evidence(says))
        by_family = dict(zip(Family, says, strict=True))
        places = {index for agrees, index, bound in says if agrees and index is not None and not bound}
        agreeing = {family for family, (agrees, _, _) in by_family.items() if agrees}
        expected = (
            not any(agrees is False for agrees, _, _ in says)
            and len(places) == 1
            and len(agreeing) >= 2
            and Family.CONTENT in agreeing
        )
        assert verdict.is_proven == expected, says
        if verdict.is_proven:
            proven += 1
            assert {verdict.index} == places
            assert verdict.reasons == ()
        else:
            assert verdict.reasons, says
    assert proven > 50


def test_judge__two_pieces_of_one_family__one_fact() -> None:
    content = Evidence(Family.CONTENT, True, "equal", index=3)
    assert not judge([content, content]).is_proven


def test_judge__seqno_and_gtid_only__not_two_facts() -> None:
    verdict = judge([Evidence(Family.SEQNO, True, "a", index=3), Evidence(Family.GTID, True, "b", index=3)])
    assert not verdict.is_proven
    assert "not independent of each other" in verdict.reasons[0]


def test_judge__nothing_said__refused() -> None:
    assert not judge([]).is_proven
    assert judge([]).index is None
