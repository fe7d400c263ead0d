"""The grants that the console's accounts need: the documents, the lab and the check name the same ones."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from backend.core.dialects import MARIADB_NEEDS as NEEDS
from backend.core.dialects.needs import EVENTS, MISSING, Need
from backend.core.facts.activity import WRITE_THROUGH_VIEW_SQL
from backend.core.facts.variables import PLANNED
from backend.core.findings import Severity
from backend.gateway import grants, inspection
from backend.gateway.excess_grants import ROWS
from deploy.lab.server.grants import GRANTS
from tests.backend import privileges_page
from tests.monitoring.facts import up
from tests.support.documented_grants import documented, view_statements

ROLES = ("monitor", "operator", "replication")
SINGLE = [(need, name) for need in NEEDS for name in need.privileges]
NEEDED = {(need.role, need.on, name) for need, name in SINGLE}


def held(role: str, *, but: tuple[Need, str] | None = None) -> grants.HeldPrivileges:
    """All that the role needs; without one privilege."""
    return grants.parse(
        f"GRANT {name} ON {need.on} TO `x`@`%`" for need, name in SINGLE if need.role == role and (need, name) != but
    )


def test_privileges_page__is_current() -> None:
    assert privileges_page.PAGE.read_text() == privileges_page.written(), (
        "run `python -m tests.backend.privileges_page`"
    )


def test_documented_statements__grant_what_is_needed_and_rows_only_where_orphans_are_replayed() -> None:
    rows = {("operator", "`your_schema`.*", name) for name in ROWS}
    assert documented() == NEEDED | rows


def test_documented_view__is_the_one_of_the_remedy() -> None:
    assert view_statements() == ["CREATE DATABASE IF NOT EXISTS hawser", WRITE_THROUGH_VIEW_SQL]


def test_lab__its_accounts_hold_the_documented_grants_and_no_more() -> None:
    made = {
        (role, found["where"], name)
        for role in ROLES
        for found in (re.match(r"GRANT (?P<what>.+) ON (?P<where>\S+) TO", line) for line in GRANTS[role])
        if found is not None
        for name in found["what"].split(", ")
    }
    assert made == NEEDED | {("operator", "`bank`.*", name) for name in ROWS}


@pytest.mark.parametrize("role", ROLES)
def test_check__all_that_is_needed__nothing_to_say(role: str) -> None:
    found = grants.check("a1", role, "x@%", held(role), runs_events=True)
    assert [(one.code, one.severity) for one in found] == [("grants", Severity.OK)]


@pytest.mark.parametrize(("need", "name"), SINGLE, ids=[f"{need.role} {name} {need.schema}" for need, name in SINGLE])
def test_check__one_privilege_missing__the_statement_and_what_follows(need: Need, name: str) -> None:
    (found,) = grants.check("a1", need.role, "x@%", held(need.role, but=(need, name)), runs_events=True)
    assert found.code == need.code
    assert found.severity is (Severity.BLOCKER if need.code == MISSING else Severity.WARNING)
    assert found.remedy == f"GRANT {name} ON {need.on} TO 'x'@'%';"
    assert need.without in found.message
    assert f" lacks {name}" in found.message


def test_check__nothing_granted__a_finding_of_every_kind() -> None:
    for role in ROLES:
        found = grants.check("a1", role, "x@%", grants.HeldPrivileges(), runs_events=True)
        assert {one.code for one in found} == {need.code for need in NEEDS if need.role == role}


def test_check__events__only_where_the_scheduler_runs() -> None:
    (events,) = [(need, need.privileges[0]) for need in NEEDS if need.code == EVENTS]
    found = grants.check("a1", "monitor", "x@%", held("monitor", but=events))
    assert [one.code for one in found] == ["grants"]


def test_check__several_of_one_kind__one_statement_for_all() -> None:
    (found, *_) = grants.check("a1", "operator", "x@%", grants.HeldPrivileges())
    assert found.remedy == "GRANT REPLICATION SLAVE ADMIN, RELOAD, READ_ONLY ADMIN ON *.* TO 'x'@'%';"


@pytest.mark.parametrize(
    ("where", "lacks"),
    [
        ("*.*", False),
        ("`hawser`.*", False),
        ("`haw%`.*", False),
        ("`hawser`.`probe`", True),
        ("`hawser2`.*", True),
    ],
)
def test_held__on_a_schema__patterns_and_everything_cover_it_one_table_does_not(where: str, lacks: bool) -> None:
    found = grants.parse([f"GRANT SELECT ON {where} TO `x`@`%`"])
    assert bool(found.lacks(("SELECT",), "hawser")) is lacks


@pytest.mark.parametrize("where", ["*.*", "`mysql`.*", "`mysql`.`event`"])
def test_held__on_a_table__its_schema_covers_it_too(where: str) -> None:
    found = grants.parse([f"GRANT SELECT ON {where} TO `x`@`%`"])
    assert found.lacks(("SELECT",), "mysql", "event") == ()
    assert found.lacks(("SELECT",), "mysql", "user") == (("SELECT",) if "event" in where else ())


def test_check__no_variable_reported__all_that_plans_need_are_named() -> None:
    found = inspection._settings(replace(up("b1"), variables={}))
    assert [one.facts["variables"] for one in found if "variables" in one.facts] == [list(PLANNED)]


@pytest.mark.parametrize("variable", PLANNED)
def test_check__variable_that_a_plan_needs_not_reported__unknown_before_the_plan_is(variable: str) -> None:
    whole = up("b1")
    node = replace(whole, variables={**whole.variables, **{name: "x" for name in PLANNED if name != variable}})
    node = replace(node, variables={name: value for name, value in node.variables.items() if name != variable})
    (found,) = [one for one in inspection._settings(node) if one.facts.get("variables") == [variable]]
    assert (found.code, found.severity) == ("setting_unknown", Severity.UNKNOWN)
    assert f"Every account may read {variable}." in found.remedy
