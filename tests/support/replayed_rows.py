"""A run whose replay sends a row of an application."""

from __future__ import annotations

from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, RunStep
from tests.support.console import release_altered

PERSON = "Ann Example"
ROW = f"INSERT INTO shop.orders VALUES ('{PERSON}')"


def with_rows(run_id: str, plan: Plan) -> None:
    """The run's first step is a replay that sent one transaction."""
    plan.body["steps"][0] |= {"code": "replay", "sql": [ROW], "undo": []}
    release_altered(plan)
    RunStep.objects.filter(run_id=run_id, index=0).update(code="replay", state="running")
    store = RunStore(run_id, "w1")
    assert store.claim(30)
    store.intent(0, node_id="n", node="n", sql=ROW, connection_id=1)
