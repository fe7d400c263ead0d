"""Where the channels of a run resumed, or had applied everything: file, offset and GTID, as its steps proved them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.history.stored_run import StoredRun, StoredStep


@dataclass(frozen=True, slots=True)
class ReportedPosition:
    """A position in the log of `node`; None is unknown. `basis` says what it is."""

    direction: str
    node: str | None
    file: str | None
    offset: int | None
    gtid: str | None
    basis: str

    @property
    def text(self) -> str:
        """File and offset with the GTID, as a sentence names them."""
        coordinates = f"{self.file}:{self.offset}" if self.file is not None and self.offset is not None else "unknown"
        return f"{coordinates} (GTID {self.gtid})" if self.gtid else coordinates


def positions(run: StoredRun) -> tuple[ReportedPosition, ...]:
    """Those that the run proved; where it proved none of a direction, what its plan stated."""
    proven = tuple(_proven(run))
    known = {one.direction for one in proven}
    return (*proven, *(one for one in _planned(run) if one.direction not in known))


def _proven(run: StoredRun) -> Iterator[ReportedPosition]:
    for step in run.steps:
        facts = step.facts
        if not step.is_done or not facts:
            continue
        if step.code == "locate":
            yield _resumed(step, facts)
        elif step.code == "verify_caught_up":
            yield _caught_up(step, facts)
        elif step.code == "record_divergence":
            yield _diverged(run, step, facts.get("divergence") or {})


def _resumed(step: StoredStep, facts: Mapping[str, Any]) -> ReportedPosition:
    direction = str(step.params.get("direction", ""))
    return ReportedPosition(
        direction, step.node, facts.get("file"), facts.get("offset"), facts.get("gtid"), "resumed at"
    )


def _caught_up(step: StoredStep, facts: Mapping[str, Any]) -> ReportedPosition:
    file, _, offset = str(facts.get("position") or "").rpartition(":")
    is_known = bool(file) and offset.isdigit()
    return ReportedPosition(
        direction=str(step.params.get("direction", "")),
        node=step.node,
        file=file if is_known else None,
        offset=int(offset) if is_known else None,
        gtid=facts.get("gtid"),
        basis="applied up to",
    )


def _diverged(run: StoredRun, step: StoredStep, facts: Mapping[str, Any]) -> ReportedPosition:
    return ReportedPosition(
        direction=str(step.params.get("direction", "forward")),
        node=run.name_of(facts.get("source_node_id")),
        file=facts.get("applied_file"),
        offset=facts.get("applied_offset"),
        gtid=facts.get("applied_gtid"),
        basis="applied up to",
    )


def _planned(run: StoredRun) -> Iterator[ReportedPosition]:
    for one in run.plan.get("positions") or ():
        yield ReportedPosition(
            direction=str(one.get("direction", "")),
            node=one.get("node_name"),
            file=one.get("file"),
            offset=one.get("position"),
            gtid=one.get("gtid"),
            basis="planned" if one.get("proven") else "not proven",
        )
