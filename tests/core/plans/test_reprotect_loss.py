"""What a reprotect states as lost is what its findings say is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.orphans.conflicts import Conflict
from backend.core.orphans.report import OrphanReport
from backend.core.plans.rebuild import loss_of
from tests.core.builders.lost_sides import failed_over
from tests.fakes.plans import context_of

FOUND = OrphanReport("found", "cluster-a has 2 transactions that cluster-b never received.", transactions=2)
UNKNOWN = OrphanReport("unknown", "What only cluster-a has is unknown.")
NONE = OrphanReport("none", "cluster-b has every transaction of cluster-a.")
IN_CONFLICT = replace(FOUND, conflicts=(Conflict(1, 500, "shop.keyed", "another row there has the same id"),))


@pytest.mark.parametrize(
    ("way", "report", "skips", "lost"),
    [
        ("undo", FOUND, False, 2),
        ("undo", UNKNOWN, False, None),
        ("undo", NONE, False, 0),
        ("rebuild", FOUND, False, 2),
        ("rebuild", UNKNOWN, False, None),
        ("replay", FOUND, False, 0),
        ("replay", IN_CONFLICT, True, 1),
        ("attach", NONE, False, 0),
        ("fence", FOUND, False, 0),
    ],
)
def test_loss__what_only_the_returned_side_has__counted_where_it_is_given_up(
    way: str, report: OrphanReport, skips: bool, lost: int | None
) -> None:
    loss = loss_of(context_of(failed_over()), way, report, skip_conflicts=skips)
    assert loss["transactions"] == lost
    assert ("lost" in str(loss["detail"])) == (way in ("undo", "replay") and lost != 0)
