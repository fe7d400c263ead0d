"""The described API against generated calls: no server error, and every answer as described."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from backend.clusters.models import Link
from backend.config.wsgi import application
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.services import hook_create
from backend.operations.incidents.services import incident_create
from backend.operations.runs.services import run_start
from tests.core.builders.examples import examples
from tests.support.console import Caller, confirmation, make_link, store_plan
from tests.support.destinations import make_destination

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
# Streams do not end, and a made-up cluster would be looked for on the network.
LEFT_OUT = ("/events", "POST /clusters")
IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
BY_ROLE = {"admin": 3, "viewer": 1, "operator": 1, "approver": 1}
"""Examples of each operation outside a whole run: a role with fewer privileges is mostly refused early."""


def make_hook(link: Link) -> Hook:
    """A webhook whose receiver does not exist."""
    return hook_create(
        actor="test",
        link=link,
        name="fuzzed",
        url="http://127.0.0.1:1/x",
        secret="s" * 16,
        phase="event",
        kinds=[],
        blocking=False,
        timeout_s=1,
        min_severity="warning",
        enabled=True,
    )


def _allow_refused_size(schema: Any) -> None:
    """Every operation may answer 413 (`default` describes it): a text above a limit near 1 MiB is a body above it."""
    check = schema.config.checks.negative_data_rejection
    check.expected_statuses = [*check.expected_statuses, "413"]


def _operations(schema: Any) -> list[Any]:
    found = [result.ok() for result in schema.get_all_operations()]
    return [op for op in found if not _call_of(op).endswith(LEFT_OUT)]


def _call_of(operation: Any) -> str:
    return f"{operation.method.upper()} {operation.path.removeprefix('/api/v1')}"


def _known_ids(operation: Any, known: dict[str, str]) -> dict[str, str]:
    names = [parameter.name for parameter in operation.path_parameters]
    return {name: known[name] for name in names if name in known}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("role", BY_ROLE if IS_WHOLE else ["admin", "viewer"])
def test_api__generated_calls__never_fail_and_answer_as_described(
    emptied: None, as_role: Callable[[str], Caller], settings: Any, role: str
) -> None:
    settings.HAWSER_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    link = make_link()
    plan = store_plan(link)
    as_role("admin")
    caller = as_role(role)
    run = run_start(actor="admin-1", plan=plan, **confirmation(plan))
    node = link.active_cluster.nodes.first()
    assert node is not None
    known = {
        "cluster_id": link.active_cluster_id,
        "link_id": link.id,
        "node_id": node.id,
        "plan_id": plan.id,
        "run_id": run.id,
        "hook_id": make_hook(link).id,
        "destination_id": make_destination("pagerduty", None, name="fuzzed").id,
        "incident_id": incident_create(actor="admin-1", scope_kind="links", link_ids=[link.id]).id,
    }
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema", application)
    _allow_refused_size(schema)
    operations = _operations(schema)
    assert len(operations) > 35
    for operation in operations:
        _exercise(operation, _known_ids(operation, known), str(caller.token), BY_ROLE[role])


def _exercise(operation: Any, ids: dict[str, str], token: str, few: int) -> None:
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        cases = operation.as_strategy(generation_mode=mode)

        @given(case=cases, known=st.booleans())
        @settings(examples(5, few), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        def exercise(case: Any, known: bool) -> None:
            if known and ids:
                case.path_parameters = {**case.path_parameters, **ids}
            response = case.call(headers={"Authorization": f"Bearer {token}"})
            case.validate_response(response, checks=CHECKS)

        try:
            exercise()
        except Unsatisfiable:
            # An operation that takes nothing cannot be sent anything wrong.
            assert mode is schemathesis.GenerationMode.NEGATIVE, operation.label
