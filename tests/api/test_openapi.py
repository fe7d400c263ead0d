"""The OpenAPI schema describes every operation, parameter header and tag in words that callers can use."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from backend.common.roles import Role

SCHEMA = yaml.safe_load((Path(__file__).resolve().parents[2] / "frontend/src/api/generated/openapi.yaml").read_text())
"""The committed schema; `test_service` compares it with a generated one."""
OPERATIONS: list[dict[str, Any]] = [
    {"method": method.upper(), **operation}
    for path in SCHEMA["paths"].values()
    for method, operation in path.items()
    if method in {"get", "post", "put", "patch", "delete"}
]
MAX_WORDS = 7
RAISED = re.compile(r'(?:(?:conflict|forbidden|CallerLimit|Reason)\(\s*|ProblemError\(\s*\d+,\s*|code=)"([a-z_]+)"')


@pytest.fixture(params=OPERATIONS, ids=lambda operation: str(operation["operationId"]))
def operation(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One operation of the schema."""
    found: dict[str, Any] = request.param
    return found


def test_summary__each_operation__a_short_imperative(operation: dict[str, Any]) -> None:
    summary = operation["summary"]
    assert 2 <= len(summary.split()) <= MAX_WORDS
    assert summary[0].isupper()
    assert not summary.endswith(".")


def test_summaries__of_all_operations__are_distinct() -> None:
    counts = Counter(operation["summary"] for operation in OPERATIONS)
    assert [summary for summary, count in counts.items() if count > 1] == []


def test_description__each_operation__states_effect_and_role(operation: dict[str, Any]) -> None:
    effect, *_, last = operation["description"].split("\n\n")
    assert effect.split(". ")[0].rstrip(".")
    roles = [f"Role: `{role}`" for role in Role]
    assert any(role in operation["description"] for role in [*roles, "Role: none."])
    assert last.endswith(".")


def test_description__each_unsafe_operation__says_what_a_repeated_call_does(operation: dict[str, Any]) -> None:
    header = [one for one in operation.get("parameters", []) if one["name"] == "Idempotency-Key"]
    if operation["method"] == "GET":
        assert "Safe to repeat." in operation["description"]
        assert not header
        return
    returns_first = "same `Idempotency-Key` returns the first response" in operation["description"]
    assert returns_first == bool(header)
    assert returns_first or "`Idempotency-Key` is ignored" in operation["description"]


def test_description__problem_codes__each_is_named(operation: dict[str, Any]) -> None:
    for code in operation.get("x-problem-codes", []):
        assert f"`{code}`" in operation["description"]


def test_tags__every_one_in_use__described() -> None:
    described = {tag["name"] for tag in SCHEMA["tags"] if tag["description"].endswith(".")}
    used = {tag for operation in OPERATIONS for tag in operation["tags"]}
    assert used == described


@pytest.mark.parametrize("heading", ["Authentication", "Errors", "Paging", "Idempotency", "Events"])
def test_info__common_rules__explained(heading: str) -> None:
    assert f"## {heading}\n" in SCHEMA["info"]["description"]


def test_problem_codes__named_by_operations__are_raised_somewhere() -> None:
    backend = Path(__file__).resolve().parents[2] / "backend"
    raised = {code for path in backend.rglob("*.py") for code in RAISED.findall(path.read_text())}
    codes = {code for operation in OPERATIONS for code in operation.get("x-problem-codes", [])}
    assert codes
    assert codes - raised == {"not_authenticated"}  # raised by the REST framework
