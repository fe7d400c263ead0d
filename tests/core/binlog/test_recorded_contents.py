"""Each kind of content as 10.11.19 and 11.8.9 showed it: what the candidate's log and the replica's say of one load.

`tests/support/record_log_contents.py` wrote the events; tests/galera/test_binlog_contents.py moves links over them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from backend.core.binlog.content import are_same
from backend.core.binlog.events import LogEvent, RowImages, with_ends
from backend.core.binlog.groups import Group, read_groups
from tests.support.log_contents import KINDS, NOT_PROVEN, Kind

FOLDER = Path(__file__).parent / "recorded"
RELEASES = {"mariadb-10.11": RowImages.FULL, "mariadb-11.8": RowImages.WITHOUT_GENERATED}


@cache
def recorded(release: str) -> dict[str, dict[str, list[tuple[int, str, int, int, str]]]]:
    """The events of every kind."""
    return json.loads((FOLDER / f"{release}.json").read_text())  # type: ignore[no-any-return]


def groups_in(release: str, kind: Kind, log: str) -> list[Group]:
    """What one of the two logs holds."""
    events = [LogEvent("binlog.000001", *row) for row in recorded(release)[kind.key][log]]
    return list(read_groups(with_ends(events, None), row_images=RELEASES[release]))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_contents__of_both_logs__same_or_told_apart(release: str, kind: Kind) -> None:
    received = groups_in(release, kind, "replica")
    assert received
    held = [group.content for group in groups_in(release, kind, "candidate")]
    assert are_same(held, [group.content for group in received]) is (kind.outcome != NOT_PROVEN)


@pytest.mark.parametrize("release", RELEASES)
def test_recorded__every_kind__on_every_release(release: str) -> None:
    assert set(recorded(release)) == {kind.key for kind in KINDS}
