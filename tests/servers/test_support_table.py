"""The table of servers says what ran, and nothing that did not."""

from __future__ import annotations

import pytest

from deploy.lab.layout import parse_servers
from deploy.servers import support_table
from deploy.servers.matrix import MATRIX

DAY = "2026-11-26"


def report(*cases: tuple[str, str]) -> str:
    """A JUnit report of modules with `passed`, `failure`, `error` or `skipped`."""
    parts = {"passed": "", "failure": "<failure/>", "error": "<error/>", "skipped": "<skipped/>"}
    found = "".join(f'<testcase classname="{module}" name="t">{parts[how]}</testcase>' for module, how in cases)
    return f"<testsuites><testsuite>{found}</testsuite></testsuites>"


CLASSIC = "tests.galera.test_relocate_classic"


@pytest.mark.parametrize(
    ("name", "module", "server"),
    [
        ("galera", CLASSIC, "mariadb-10.11"),
        ("servers-mariadb-11.8", CLASSIC, "mariadb-11.8"),
        ("servers-a-mariadb-10.11-b-mariadb-11.8", CLASSIC, "mixed"),
        ("servers-test_rolling_upgrade", "tests.galera.test_rolling_upgrade", "mixed"),
        ("variants", "tests.galera.test_relocate_newest", "mariadb-11.8"),
        ("servers", "tests.mysql.test_dialect", "mysql-9"),
        ("servers-pxc-8.4", CLASSIC, "pxc-8.4"),
        ("servers-mysql-wsrep-8.0", CLASSIC, "mysql-wsrep-8.0"),
        ("servers-lab-of-mysql", "tests.lab.test_mysql_family", "lab-of-mysql"),
        ("core", "tests.core.test_x", None),
    ],
)
def test_server_of__report_and_module__the_server_it_ran_on(name: str, module: str, server: str | None) -> None:
    assert support_table.server_of(name, module) == server


@pytest.mark.parametrize(
    ("how", "cell"),
    [
        (("passed", "passed"), "proven (2)"),
        (("passed", "failure"), "**1 of 2 failed**"),
        (("error",), "**1 of 1 failed**"),
        (("skipped",), "not tried"),
        ((), "not tried"),
    ],
)
def test_table__what_ran__is_what_it_says(how: tuple[str, ...], cell: str) -> None:
    figures = support_table.counted("galera", report(*((CLASSIC, one) for one in how)), DAY)
    row = next(line for line in support_table.table(figures).splitlines() if line.startswith("| MariaDB 10.11"))
    assert row.split(" | ")[1] == cell


def test_table__watched_server__its_plans_are_refused_whatever_ran() -> None:
    lines = support_table.table({"mysql-9": {"relocate by position": {"passed": 9, "failed": 0, "day": DAY}}})
    row = next(line for line in lines.splitlines() if line.startswith("| MySQL"))
    assert row.split(" | ")[1:6] == ["refused"] * 5


@pytest.mark.parametrize(
    ("figures", "title", "values"),
    [
        ({}, "Percona XtraDB Cluster 8.4 (no build to be had here)", ["not tried"] * 3),
        (
            {"pxc-8.4": {"relocate by position": {"passed": 11, "failed": 0, "day": DAY}}},
            "Percona XtraDB Cluster 8.4",
            ["proven once accepted (11)", "not tried", "not tried"],
        ),
        (
            {"pxc-8.4": {"lost site and way back": {"passed": 5, "failed": 1, "day": DAY}}},
            "Percona XtraDB Cluster 8.4",
            ["not tried", "not tried", "**1 of 6 failed**"],
        ),
    ],
)
def test_table__server_that_is_accepted_in_writing__only_what_ran(
    figures: support_table.Figures, title: str, values: list[str]
) -> None:
    rows = [line.strip("| ").split(" | ") for line in support_table.table(figures).splitlines()]
    (row,) = [row for row in rows if row[0].startswith("Percona XtraDB Cluster 8.4")]
    assert (row[0], row[1:4]) == (title, values)


def test_merged__later_run__replaces_the_same_subject_and_no_other() -> None:
    earlier = support_table.counted(
        "galera", report((CLASSIC, "failure"), ("tests.galera.test_refusals", "passed")), DAY
    )
    following = support_table.counted("galera", report((CLASSIC, "passed")), DAY)
    found = support_table.merged(earlier, following)["mariadb-10.11"]
    assert (found["relocate by position"]["failed"], found["refusals"]["passed"]) == (0, 1)


def test_merged__fewer_tests__replace_more_only_where_one_failed() -> None:
    more = support_table.counted("galera", report((CLASSIC, "passed"), (CLASSIC, "passed")), DAY)
    few = support_table.counted("galera", report((CLASSIC, "passed")), DAY)
    bad = support_table.counted("galera", report((CLASSIC, "failure")), DAY)
    assert support_table.merged(more, few) == more
    assert support_table.merged(more, bad) == bad


@pytest.mark.parametrize("page", support_table.PAGES, ids=lambda page: page.name)
def test_page__has_the_table_of_the_figures(page) -> None:  # type: ignore[no-untyped-def]
    assert support_table.with_table(page.read_text(), support_table.table(support_table.stored())) == page.read_text()


def test_page__without_its_place__refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        support_table.with_table("# A page", "")


def test_matrix__each_release__has_a_row() -> None:
    alone = {name for chosen in MATRIX for name in parse_servers(chosen) if "=" not in chosen}
    assert alone <= set(support_table.SERVERS)
