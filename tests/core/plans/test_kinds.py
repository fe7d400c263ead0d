"""No kind of plan can be half declared: each is listed, reviewed, described, and offered or asked for elsewhere."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from string import Formatter

import pytest

from backend.core import plans
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.servers import check_servers
from backend.core.link_state.derive import History, derive
from backend.core.plans.kind import Operation
from backend.core.plans.kinds import OPERATIONS, PLAN_KINDS
from tests.fakes.world import FakeWorld

ROOT = Path(__file__).parents[3]
OPERATIONS_PAGE = (ROOT / "docs/reference/operations.md").read_text()
ELSEWHERE = {"configure", "node_maintenance", "rotate_passwords"}
"""Asked for where their subject is shown: settings, nodes and accounts of a cluster."""


def _declared() -> dict[str, Operation]:
    modules = [import_module(f"{plans.__name__}.{one.name}") for one in iter_modules(plans.__path__)]
    found = (one for module in modules for one in vars(module).values())
    return {one.kind: one for one in found if isinstance(one, Operation)}


def test_declarations__every_module__is_listed() -> None:
    assert _declared() == OPERATIONS
    decided = {one.name for one in iter_modules(plans.__path__) if _decides(one.name)}
    assert decided == OPERATIONS.keys() - {"failback"}, "a module that decides a plan has a declaration of its name"


def _decides(name: str) -> bool:
    return hasattr(import_module(f"{plans.__name__}.{name}"), "decide")


@pytest.mark.parametrize("kind", OPERATIONS)
def test_kind__each__has_a_reviewed_plan(kind: str) -> None:
    first_lines = (path.read_text().split("\n", 1)[0] for path in (ROOT / "tests/scenarios").glob("*/plan.txt"))
    assert any(line.split()[1] == f"{kind}:" for line in first_lines)


@pytest.mark.parametrize("kind", PLAN_KINDS)
def test_kind__each__has_its_row_and_its_section(kind: str) -> None:
    row = re.search(rf"^\| \[`{kind}`\]\(#([\w-]+)\)", OPERATIONS_PAGE, re.MULTILINE)
    assert row is not None
    anchors = [
        title.lower().replace(",", "").replace(" ", "-") for title in re.findall(r"^#+ (.+)$", OPERATIONS_PAGE, re.M)
    ]
    assert row[1] in anchors


@pytest.mark.parametrize("kind", PLAN_KINDS)
def test_kind__each_way__keeps_to_one_run_known_servers_and_approvals(kind: str) -> None:
    for checks in PLAN_KINDS[kind].every_way:
        assert {check_no_other_run, check_servers, check_approval} <= set(checks)
        assert len(set(checks)) == len(checks)


@pytest.mark.parametrize("kind", OPERATIONS)
def test_kind__each__is_told_by_names_that_a_report_knows(kind: str) -> None:
    one = OPERATIONS[kind]
    named = {name for text in (one.done, one.to_do) for _, name, _, _ in Formatter().parse(text) if name}
    assert "link" in named
    assert named <= {"link", "old", "new", "active", "standby"}
    assert one.done != one.to_do


def test_readiness__every_kind__is_offered_or_asked_for_elsewhere() -> None:
    offered = derive(FakeWorld.classic().facts(), History(), 0.0).readiness.keys()
    assert offered.isdisjoint(ELSEWHERE)
    assert offered | ELSEWHERE == PLAN_KINDS.keys()
