"""What the console's own record says: intents, outcomes and claims of all runs since a moment."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    state: str = "intended"


@dataclass
class Record:
    """The audit record of a stretch of time."""

    intents: list[Intent] = field(default_factory=list)
    claims: dict[tuple[str, int], float] = field(default_factory=dict)
    """(run, epoch) -> when that epoch began."""
    plans: dict[str, Json] = field(default_factory=dict)
    """Run -> the plan it executes."""


def since(console: Console, moment: datetime) -> Record:
    """Everything recorded from `moment` on, oldest first."""
    record, outcomes = Record(), {}
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
            outcomes[facts["statement"]] = facts["state"]
    record.intents = [
        Intent(i.run, i.statement, i.epoch, i.step, i.node, i.session, i.sql, i.at, outcomes.get(i.statement, i.state))
        for i in record.intents
    ]
    for run in {i.run for i in record.intents}:
        record.plans[run] = console.get(f"/plans/{console.get(f'/runs/{run}')['plan_id']}")
    return record


def _entries(console: Console, moment: datetime) -> list[Json]:
    found: list[Json] = []
    path = f"/audit?action={quote('worker:run:')}&since={quote(moment.isoformat())}&limit=200"
    page = console.get(path)
    while True:
        found += page["results"]
        if page["next"] is None:
            return found[::-1]
        page = console.get(f"{path}&cursor={quote(page['next'])}")
