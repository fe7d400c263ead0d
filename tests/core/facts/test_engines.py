"""Tables not_innodb InnoDB are named with the nodes their rows stand on, and in the refusal of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.core.facts.engines import OutsideTable, outside_among, outside_finding, read_outside_tables
from backend.core.ports import Row
from backend.core.topology import NodeRef
from tests.core.builders.worlds import ask, forward
from tests.fakes.world import FakeWorld

NOTES, LOGS = OutsideTable("bank.notes", "MyISAM", 6), OutsideTable("bank.logs", "Aria", 2)


@dataclass
class Asked:
    """A reader that keeps what it was asked."""

    node: NodeRef = field(default_factory=lambda: NodeRef("n", "db-a1", "127.0.1.1", 3306, "c"))
    queries: list[str] = field(default_factory=list)

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """One table."""
        del timeout_s
        self.queries.append(sql)
        return [{"name": "bank.notes", "engine": "MyISAM", "table_rows": 6}]

    def close(self) -> None:
        """Nothing to end."""


def test_outside_finding__all_innodb__none() -> None:
    assert outside_finding("milan", {"db-a1": (), "db-a2": ()}, ["", ""]) is None


def test_outside_finding__names_tables_engines_and_where_rows_stand() -> None:
    seen = {"db-a1": (NOTES,), "db-a2": (OutsideTable("bank.notes", "MyISAM", 4),)}
    found = outside_finding("milan", seen, ["", ""])
    assert found is not None
    assert "bank.notes (MyISAM; 6 rows on db-a1, 4 rows on db-a2)" in found.message
    assert "only on the node through which it was written" in found.message
    assert "exists on its replica only" in found.message
    assert "ENGINE=InnoDB" in found.remedy


def test_outside_finding__replicated_in_total_order_only_where_every_node_says_so_for_every_engine() -> None:
    seen = {"db-a1": (NOTES, LOGS), "db-a2": (NOTES, LOGS)}
    both, one = "REPLICATE_MYISAM,REPLICATE_ARIA", "REPLICATE_MYISAM"
    reported = [outside_finding("milan", seen, modes) for modes in ([both, both], [both, one], [])]
    assert ["wsrep_mode replicates" in found.message for found in reported if found] == [True, False, False]


def test_outside_finding__many_tables__some_named_and_the_rest_counted() -> None:
    tables = tuple(OutsideTable(f"bank.t{n}", "Aria", 0) for n in range(8))
    found = outside_finding("milan", {"db-a1": tables}, [""])
    assert found is not None
    assert "and 3 more" in found.message


def test_outside_among__only_names_that_need_no_escape_are_asked_for() -> None:
    asked = Asked()
    assert outside_among(asked, ["bank.it's", "bank.", 'x".y', "bank.a\\"]) == ()
    assert not asked.queries
    assert outside_among(asked, ["bank.notes", "bank.notes"]) == (NOTES,)
    assert asked.queries[0].count("TABLE_NAME = 'notes'") == 1


def test_read_outside_tables__own_schemas_left_out() -> None:
    asked = Asked()
    assert read_outside_tables(asked) == (NOTES,)
    assert "NOT IN ('mysql'" in asked.queries[0]


def lost(*, is_replicated: bool) -> FakeWorld:
    """The last groups wrote a MyISAM table, on the lost source alone or in total order."""
    world = FakeWorld.classic()
    for node in world.nodes:
        node.not_innodb["shop.notes"] = "MyISAM"
    for _ in range(4):
        if is_replicated:
            world.write("a1", kind="other", table="shop.notes")
        else:
            world.write_local("a1", kind="other", table="shop.notes", shape="plain")
    world.tick()
    world.kill("a1")
    return world


def test_locate__rows_on_the_lost_source_alone__refused_and_the_table_named() -> None:
    located = forward(ask(lost(is_replicated=False), "a2", "b1"))
    assert not located.is_proven
    assert any("shop.notes (MyISAM)" in reason for reason in located.reasons)
    assert "ENGINE=InnoDB" in str(located.facts["remedy"])


def test_locate__replicated_in_total_order__proven() -> None:
    located = forward(ask(lost(is_replicated=True), "a2", "b1"))
    assert located.is_proven, located.reasons
