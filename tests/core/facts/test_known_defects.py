"""Defects of servers by exact release: said where they touch, silent where they are fixed or unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.dialects.known_defects import BY_ID, defects_of, may_end_when_read, provider_release_of, release_of
from backend.core.facts.known_defects import known_defect_findings
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from tests.core.builders.link_facts import context, link, refusing, with_channel, with_node, with_variable
from tests.core.known_defects_page import PAGE, written


@pytest.mark.parametrize(
    ("version", "has"),
    [
        ("10.5.23", True), ("10.6.27", True), ("10.6.28", False), ("10.11.18", True), ("10.11.19", False),
        ("11.4.12", True), ("11.4.13", False), ("11.8.8", True), ("11.8.9", False), ("12.2.2", True),
        ("12.3.2", True), ("12.3.3", False), ("13.0.1", False),
    ],
)  # fmt: skip
def test_channel_status__by_exact_release(version: str, *, has: bool) -> None:
    assert ("MDEV-40298" in {one.id for one in defects_of("mariadb", version, None)}) is has


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("10.5.27", {"MDEV-31413"}), ("10.5.28", set()), ("10.6.14", {"MDEV-31413"}),
        ("10.6.15", {"MDEV-34924"}), ("10.6.20", {"MDEV-34924"}), ("10.6.21", {"MDEV-38260"}),
        ("10.11.4", {"MDEV-31413"}), ("10.11.5", {"MDEV-34924"}), ("10.11.11", {"MDEV-38260"}),
        ("10.11.19", set()), ("11.4.4", {"MDEV-34924"}), ("11.4.5", {"MDEV-38260"}), ("11.8.9", set()),
    ],
)  # fmt: skip
def test_gtid__right_or_wrong_by_patch_release(version: str, names: set[str]) -> None:
    of_gtid = {"MDEV-31413", "MDEV-34924", "MDEV-38260"}
    assert {one.id for one in defects_of("mariadb", version, None)} & of_gtid == names


def test_release__unknown__nothing_is_said_and_the_channels_are_not_read() -> None:
    assert defects_of("mariadb", None, None) == ()
    assert defects_of("mariadb", "ten", "") == ()
    assert defects_of("mysql", "8.0.36", "26.4.18") == ()
    assert may_end_when_read(None)
    assert not may_end_when_read("8.0.36")
    assert not may_end_when_read("10.11.19-MariaDB-log")


def test_provider__both_spellings__one_release() -> None:
    assert provider_release_of("26.4.23(r7d6ec5b8)") == provider_release_of("4.23(r1)") == (26, 4, 23)
    assert {one.id for one in defects_of("mariadb", None, "26.4.25(r1)")} == {"galera-incomplete-ist"}
    assert release_of("10.11.19-MariaDB-0+deb12u1-log") == (10, 11, 19)


def _of(facts: LinkFacts) -> dict[str, Severity]:
    return {str(one.facts["defect"]): one.severity for one in known_defect_findings(facts.nodes)}


def test_findings__condition_of_the_defect__decides_whether_it_touches() -> None:
    facts = with_node(link(), "b2", version="10.11.16-MariaDB")
    assert _of(facts) == {"MDEV-40298": Severity.WARNING, "MDEV-38843": Severity.WARNING}
    assert "MDEV-39011" in _of(with_variable(facts, "b2", "wsrep_restart_slave", "ON"))
    assert "MDEV-32115" in _of(with_variable(facts, "b2", "wsrep_sst_method", "rsync"))
    assert "MDEV-38260" in _of(with_channel(facts, "b1", using_gtid="Slave_Pos"))
    assert _of(with_variable(link(), "a1", "wsrep_provider_version", "26.4.23(r1)")) == {
        "galera-mistyped-option": Severity.INFO,
        "galera-incomplete-ist": Severity.INFO,
    }


def test_finding__of_galera__names_release_defect_and_fix_apart() -> None:
    facts = with_variable(link(), "a1", "wsrep_provider_version", "4.23(r1)")
    found = {str(one.facts["defect"]): one for one in known_defect_findings(facts.nodes)}["galera-incomplete-ist"]
    assert found.message == (
        "a1 runs Galera 26.4.23, which has the defect galera-incomplete-ist (fixed in 26.4.27). "
        "An incremental state transfer may leave out write-sets: the node that joins then lacks them."
    )
    assert found.remedy.startswith("Upgrade.")
    assert found.facts["releases"] == ["26.4.23"]


def test_finding__of_two_servers__both_releases_in_order() -> None:
    facts = with_node(with_node(link(), "b2", version="10.11.9-MariaDB"), "a2", version="10.11.16-MariaDB-log")
    found = {str(one.facts["defect"]): one for one in known_defect_findings(facts.nodes)}["MDEV-38843"]
    assert "a2, b2 run MariaDB 10.11.9, 10.11.16, which has the defect MDEV-38843 (fixed in 10.6.28," in found.message


def test_findings__fixed_release__nothing() -> None:
    assert _of(link()) == {}


def test_relocate__by_gtid_on_a_release_without_a_position_on_the_neighbours__refused() -> None:
    facts = with_channel(link(), "b1", using_gtid="Slave_Pos")
    assert "gtid_release_unfit" not in refusing(context(facts))
    assert "gtid_release_unfit" in refusing(context(with_node(facts, "b3", version="10.6.14-MariaDB")))


def test_plan__defect_that_does_not_refuse__warns() -> None:
    facts = with_node(link(), "b2", version="10.11.16-MariaDB")
    assert not refusing(context(facts)) & {"known_defect"}


def test_table__each_fix__is_of_its_series_and_after_its_first() -> None:
    for one in BY_ID.values():
        assert all(release[:2] == series for series, release in (*one.fixed.items(), *one.came.items()))
        assert all(one.came[s] < one.fixed[s] for s in one.came.keys() & one.fixed.keys())
        assert replace(one, came={}).is_in(min(one.fixed.values())) is False


def test_page__of_known_defects__is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python -m tests.core.known_defects_page`"
