"""A node's maintenance, poll by poll: gone, back, IST or SST by the rule, and never a guess."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.adviser.node_absence.maintenance import Stage, Watch, advanced
from backend.core.adviser.node_absence.return_verdict import Result
from backend.core.topology import BinlogFacts, NodeFacts
from tests.core.node_absence.members import UUID, away, member

NOW = 1_800_000_000.0
FILES = (("bin.000001", 900), ("bin.000002", 400))
LEFT = 20_000


def watch(**more: object) -> Watch:
    """A maintenance of node c that may be stopped since a minute."""
    return replace(Watch("n_c", 3, NOW - 60, NOW + 7_200), **more)  # type: ignore[arg-type]


def node(files: tuple[tuple[str, int], ...] = FILES, *, uptime_s: int = 9_000, **wsrep: object) -> NodeFacts:
    """Node c as a member."""
    seen = replace(member("c", **wsrep), uptime_s=uptime_s)
    return replace(seen, binlog=BinlogFacts(files[-1][0], files[-1][1], files))


def peers(*, size: int, downto: int | None, committed: int = 25_918) -> list[NodeFacts]:
    """Both other nodes."""
    return [member(name, cluster_size=size, cached_downto=downto, last_committed=committed) for name in "ab"]


def left(at: int = LEFT, downto: int = 13_206) -> Watch:
    """Seen as a member, then gone."""
    seen = advanced(watch(), [*peers(size=3, downto=downto), node(last_committed=at)], NOW)
    return advanced(seen, [*peers(size=2, downto=downto, committed=at + 1), away("c")], NOW + 5)


def test_watch__stopped_cleanly__away_with_the_bounds_of_its_seqno() -> None:
    found = left()
    assert (found.stage, found.last_seqno, found.limit_seqno) == (Stage.AWAY, LEFT, LEFT + 1)
    assert found.left_at_s == NOW


@pytest.mark.parametrize(
    "peer_nodes",
    [
        peers(size=3, downto=1),
        [],
        [*peers(size=2, downto=1)[:1], member("b", cluster_size=3)],
    ],
)
def test_watch__silent_but_its_cluster_does_not_count_it_out__not_away(peer_nodes: list[NodeFacts]) -> None:
    assert advanced(watch(), [*peer_nodes, away("c")], NOW).stage is Stage.WAITING_STOP


def test_watch__returns_within_every_cache__ist_and_what_does_not_contradict_it() -> None:
    found = advanced(left(), [*peers(size=3, downto=15_000), node(uptime_s=20)], NOW + 60)
    assert (found.stage, found.result) == (Stage.CLOSING, Result.IST)
    assert found.sentence == (
        "c returned by IST, by the rule: its last seqno, at least 20,000, + 1 is not below the oldest write-set of any "
        "donor (15,000). Not contradicted: its binary logs from before are still there."
    )


def test_watch__returns_beyond_every_cache__sst() -> None:
    gone = advanced(left(), [*peers(size=2, downto=21_000), away("c")], NOW + 50)
    found = advanced(gone, [*peers(size=3, downto=21_500), node((("bin.000001", 300),), uptime_s=20)], NOW + 60)
    assert found.result is Result.SST
    assert found.sentence.endswith("Not contradicted: its binary logs from before were deleted.")


@pytest.mark.parametrize(
    ("before", "since", "files"),
    [
        pytest.param(20_000, 20_500, FILES, id="the caches passed its seqno while it joined"),
        pytest.param(15_000, 15_000, (("bin.000001", 300),), id="IST by the rule, and its logs were deleted"),
        pytest.param(21_000, 21_000, FILES, id="SST by the rule, and its logs are still there"),
    ],
)
def test_watch__both_are_possible_or_contradicted__undecided(
    before: int, since: int, files: tuple[tuple[str, int], ...]
) -> None:
    gone = advanced(left(), [*peers(size=2, downto=before), away("c")], NOW + 50)
    found = advanced(gone, [*peers(size=3, downto=since), node(files, uptime_s=20)], NOW + 60)
    assert found.result is Result.UNDECIDED
    assert "read its error log" in found.sentence


def test_watch__an_unknown_cache__undecided() -> None:
    found = advanced(left(), [*peers(size=3, downto=None), node(uptime_s=20)], NOW + 60)
    assert found.result is Result.UNDECIDED


def test_watch__another_state_uuid__undecided() -> None:
    back = node(uptime_s=20, local_state_uuid="2" + UUID[1:])
    assert advanced(left(), [*peers(size=3, downto=1), back], NOW + 60).result is Result.UNDECIDED


def test_watch__away_between_two_polls__seen_by_the_age_of_its_server() -> None:
    seen = advanced(watch(), [*peers(size=3, downto=13_206), node(last_committed=LEFT)], NOW)
    found = advanced(seen, [*peers(size=3, downto=13_300), node(uptime_s=3)], NOW)
    assert found.result is Result.IST


def test_watch__joining__still_away() -> None:
    joining = node(uptime_s=5, local_state=1, state="Joining")
    assert advanced(left(), [*peers(size=3, downto=13_206), joining], NOW + 30).stage is Stage.AWAY


@pytest.mark.parametrize(
    ("stage", "result"), [(Stage.WAITING_STOP, Result.NOT_STOPPED), (Stage.AWAY, Result.NOT_RETURNED)]
)
def test_watch__its_time_is_over__closed_so_that_a_freeze_ends(stage: Stage, result: Result) -> None:
    found = advanced(watch(stage=stage), [*peers(size=3, downto=1), away("c")], NOW + 8_000)
    assert (found.stage, found.result) == (Stage.CLOSING, result)


@pytest.mark.parametrize("stage", [Stage.PREPARING, Stage.CLOSING, Stage.ENDED])
def test_watch__other_stages__nothing_changes(stage: Stage) -> None:
    before = watch(stage=stage)
    assert advanced(before, [*peers(size=2, downto=1), away("c")], NOW + 8_000) == before
