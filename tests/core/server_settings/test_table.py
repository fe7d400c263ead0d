"""The table against the names of variables and columns that real servers have; each release's are recorded here.

`python -m tests.servers.setting_names` records them from the servers of the lab.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from backend.core.server_settings.binary_log import FILTERS as LOG_FILTERS
from backend.core.server_settings.columns import CHANNEL_STATUS, LOG_STATUS
from backend.core.server_settings.judgements import ChangesPlan, Neutral
from backend.core.server_settings.table import JUDGED, SUBJECTS, TABLE
from tests.core.server_settings.unjudged import unjudged
from tests.core.settings_page import PAGE, written

NAMES = Path(__file__).parent / "names"
RELEASES = sorted(path.stem for path in NAMES.glob("*.txt"))


def recorded(release: str) -> list[str]:
    """A line for each name, with `variable`, `log` or `channel` before it."""
    return (NAMES / f"{release}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("release", RELEASES)
def test_release__each_name_of_that_kind__has_a_judgement(release: str) -> None:
    assert {line.split(" ", 1)[0] for line in recorded(release)} == {"variable", "log", "channel"}
    assert unjudged(recorded(release)) == []


@pytest.mark.parametrize("series", [(10, 5), (10, 11), (11, 4), (11, 8)])
def test_release__each_judged_setting_that_it_is_said_to_have__is_there_and_no_other(series: tuple[int, int]) -> None:
    """A setting that a release lacks would be unknown on it for ever, and refuse each plan."""
    there = set(recorded(f"mariadb-{series[0]}.{series[1]}")) | {"variable repl.commit_order"}
    log_filters = {row.name for row in LOG_FILTERS}
    for row in JUDGED:
        if row.name not in log_filters:
            assert (f"variable {row.name}" in there) is row.exists("mariadb", series), row.name


@pytest.mark.parametrize(
    "line",
    [
        *("variable binlog_new_filter", "variable slave_skips_more", "variable replicate_some", "variable wsrep_local"),
        *("variable max_new_packet", "log Binlog_Other", "channel Ignored_Rows"),
    ],
)
def test_release__a_name_that_nobody_judged__is_found(line: str) -> None:
    assert unjudged(["variable optimizer_switch", "variable wsrep_provider_evs_send_window", line]) == [line]


def test_table__each_name_once_and_of_a_known_release() -> None:
    names = [row.name for rows in SUBJECTS.values() for row in rows]
    assert len(names) == len(set(names))


def test_table__what_reads_a_setting__is_a_module_of_the_core() -> None:
    judged = [one for row in TABLE.values() for one in row.judgements]
    every = [*judged, *LOG_STATUS.values(), *CHANNEL_STATUS.values()]
    assert {one.where for one in every if isinstance(one, ChangesPlan) and find_spec(one.where) is None} == set()
    assert all(one.reason for one in every if isinstance(one, Neutral))
    told = {one.told_by for row in TABLE.values() for one in row.needs if one.told_by}
    assert {name for name in told if find_spec(name) is None} == set()


def test_page__is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python -m tests.core.settings_page`"
