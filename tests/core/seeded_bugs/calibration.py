"""The safety rules of measurements that write outside a run, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

DECIDE, TABLE, BOUNDS = "adviser.calibration.decision", "adviser.calibration.table", "adviser.calibration.bounds"


def _decision(core: Copy) -> Any:
    return core[f"backend.core.{DECIDE}"]


def _stopped(core: Copy, elapsed_s: float = 1.0, paused: float | None = 0.0, **link: Any) -> bool:
    decide = _decision(core)
    around = {"name": "payments", "state": "protected", "is_source": True, "run_id": None, **link}
    bounds = core[f"backend.core.{BOUNDS}"].Bounds()
    return decide.stop(decide.Progress(elapsed_s, 1.0, paused), [decide.LinkAround(**around)], bounds) is not None


def _refused(core: Copy, **node: Any) -> bool:
    decide = _decision(core)
    facts = {"has_probe_schema": True, "lacks": (), "is_primary": True, "is_synced": True, **node}
    return decide.refusal(decide.NodeAround("db-a1", **facts), []) is not None


def _own_table(core: Copy) -> bool:
    try:
        core[f"backend.core.{TABLE}"].insert_sql("z', 1, NOW(6), '') --", 1, 1)
    except ValueError:
        return True
    return False


def _bounded(core: Copy) -> bool:
    try:
        core[f"backend.core.{BOUNDS}"].Bounds(seconds=3600)
    except core["backend.core.estimates"].FieldError:
        return True
    return False


RULES = (
    Rule(
        "a_measurement_writes_to_its_own_table_alone",
        ((TABLE, "    if not _PLAIN.fullmatch(token):", "    if False:"),),
        _own_table,
    ),
    Rule(
        "no_measurement_writes_while_a_run_is_unfinished",
        ((DECIDE, "        if link.run_id is not None:", "        if False:"),),
        lambda c: _stopped(c, run_id="r_1"),
    ),
    Rule(
        "a_passive_standby_is_not_measured_by_writes",
        ((DECIDE, "        if not link.is_source:", "        if False:"),),
        lambda c: _stopped(c, is_source=False),
    ),
    Rule(
        "a_measurement_stops_when_its_link_is_not_protected",
        ((DECIDE, '        if link.state != "protected":', "        if False:"),),
        lambda c: _stopped(c, state=""),
    ),
    Rule(
        "a_measurement_ends_in_time",
        ((DECIDE, "    if progress.elapsed_s >= bounds.seconds:", "    if False:"),),
        lambda c: _stopped(c, elapsed_s=6.0),
    ),
    Rule(
        "no_measurement_is_longer_than_ten_seconds",
        ((BOUNDS, '        in_range("seconds", self.seconds, 1, MOST_S, "s")\n', ""),),
        _bounded,
    ),
    Rule(
        "a_measurement_stops_where_flow_control_is_unknown",
        (
            (DECIDE, "    if progress.paused is None:", "    if False:"),
            (DECIDE, "    if progress.paused > ", "    if (progress.paused or 0) > "),
        ),
        lambda c: _stopped(c, paused=None),
    ),
    Rule(
        "nothing_is_written_where_no_administrator_allowed_the_schema",
        ((DECIDE, "    if not node.has_probe_schema:", "    if False:"),),
        lambda c: _refused(c, has_probe_schema=None),
    ),
)

PREVENTS = {
    "a_measurement_writes_to_its_own_table_alone": "a token carries SQL of its own into the statement",
    "no_measurement_writes_while_a_run_is_unfinished": "rows are written while a failover looks for its position",
    "a_passive_standby_is_not_measured_by_writes": "a standby holds writes that its source never had",
    "a_measurement_stops_when_its_link_is_not_protected": "load is added to a link that is already in trouble",
    "a_measurement_ends_in_time": "an application shares its cluster with the measurement for hours",
    "no_measurement_is_longer_than_ten_seconds": "a caller has the console write for an hour",
    "a_measurement_stops_where_flow_control_is_unknown": "a cluster that is paused by its slowest node gets more to write",
    "nothing_is_written_where_no_administrator_allowed_the_schema": "the console creates a table that no administrator agreed to",
}
