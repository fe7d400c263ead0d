"""What the console's own record says: intents, outcomes and claims of all runs since a moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import quote

from tests.galera.console import Console, Json


@dataclass(frozen=True)
class Intent:
    """A statement that was about to be sent."""

    run: str
    statement: int
    epoch: int
    step: int
    node: str
    session: int
    sql: str
    at: float
    """When it was stored, by the clock of the console's database."""
    state: str = "intended"
    error: str = ""
    told_in: int = 0
    """Epoch of its first outcome: a later one is a successor's, which looked; 0 where none was recorded."""


@dataclass
class Record:
    """The audit record of a stretch of time."""

    intents: list[Intent] = field(default_factory=list)
    claims: dict[tuple[str, int], float] = field(default_factory=dict)
    """(run, epoch) -> when that epoch began."""
    plans: dict[str, Json] = field(default_factory=dict)
    """Run -> the plan it executes."""
    runs: dict[str, Json] = field(default_factory=dict)
    """Run -> as it stands now."""


def since(console: Console, moment: datetime) -> Record:
    """Everything recorded from `moment` on, oldest first."""
    record = Record()
    outcomes: dict[int, list[Json]] = {}
    for entry in _entries(console, moment):
        what, facts, run = entry["action"].rpartition(":")[2], entry["facts"], entry["run_id"]
        at = datetime.fromisoformat(entry["at"]).timestamp()
        if what == "claim":
            record.claims[run, facts["epoch"]] = at
        elif what == "statement_intent":
            record.intents.append(
                Intent(
                    run, facts["statement"], facts["epoch"], facts["step"], facts["node"], facts["connection_id"],
                    facts["sql"], at,
                )
            )  # fmt: skip
        elif what == "statement_outcome":
            outcomes.setdefault(facts["statement"], []).append(facts)
    for run in {i.run for i in record.intents}:
        record.runs[run] = console.get(f"/runs/{run}")
        record.plans[run] = console.get(f"/plans/{record.runs[run]['plan_id']}")
    times = dict(each for run in record.runs.values() for each in _stored(run))
    record.intents = [
        _settled(replace(intent, at=times.get(intent.statement, intent.at)), outcomes.get(intent.statement, []))
        for intent in record.intents
    ]
    return record


def _settled(intent: Intent, outcomes: list[Json]) -> Intent:
    """With what was told of it last, and who told first."""
    if not outcomes:
        return intent
    return replace(intent, state=outcomes[-1]["state"], error=outcomes[-1]["error"], told_in=outcomes[0]["epoch"])


def _stored(run: Json) -> Iterator[tuple[int, float]]:
    """Statement -> when its intent was stored; the audit's time is that of the worker's clock, which may be wrong."""
    for step in run["steps"]:
        for statement in step["statements"]:
            yield int(statement["id"]), datetime.fromisoformat(statement["sent_at"]).timestamp()


def _entries(console: Console, moment: datetime) -> list[Json]:
    found: list[Json] = []
    path = f"/audit?action={quote('worker:run:')}&since={quote(moment.isoformat())}&limit=200"
    page = console.get(path)
    while True:
        found += page["results"]
        if page["next"] is None:
            return found[::-1]
        page = console.get(f"{path}&cursor={quote(page['next'])}")
