"""docs/architecture.md: every table and every state that the code has stands on it."""

from __future__ import annotations

import re
from enum import StrEnum

import pytest
from django.apps import apps

from backend.operations.runs.models import PlanState, RunState, StatementState, StepState
from deploy.services.process import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text()


def test_tables__of_all_apps__are_named() -> None:
    ours = {model.__name__ for model in apps.get_models() if model.__module__.startswith("backend.")}
    table = PAGE.partition("## Tables\n")[2].partition("\n## ")[0]
    named = re.findall(r"`(\w+)`", "\n".join(line.split(" | ")[0] for line in table.splitlines() if line[:3] == "| `"))
    assert sorted(named) == sorted(ours)


@pytest.mark.parametrize("states", [PlanState, RunState, StepState, StatementState])
def test_states__of_plan_run_step_and_statement__are_named(states: type[StrEnum]) -> None:
    machines = PAGE.partition("## State machines\n")[2].partition("\n## ")[0]
    assert [state.value for state in states if not re.search(rf"\b{state.value}\b", machines)] == []
