"""Real servers: what an applier logs of groups that change nothing, and what a position is then proven by."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from backend.core.link_facts import RecordedChannel
from backend.core.locate.evidence import Family
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import RebuiltRows
from backend.operations.runs.planning.facts import locate_direction
from deploy.lab.api import Lab
from tests.gateway.lab import access, reset
from tests.gateway.orphan_statements import end_of_log, run, wait_until_applied
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]
SOURCE, REPLICA, NEIGHBOUR = "db-b1", "db-a1", "db-a2"
ROWS = "CREATE OR REPLACE TABLE bank.overwritten (id INT PRIMARY KEY, n INT, site CHAR(1))"


def channel(lab: Lab, node: str) -> Any:
    """The one that node holds."""
    (row,) = [row for row in lab.sql(node, "SHOW ALL SLAVES STATUS") if row["Master_Host"]]
    return row


def executed(lab: Lab, node: str) -> FilePosition:
    """Up to where its channel has applied."""
    row = channel(lab, node)
    return FilePosition(row["Relay_Master_Log_File"], int(row["Exec_Master_Log_Pos"]))


class Returned:
    """Side A wrote alone for a moment; its old channel brings what B writes."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.recorded: tuple[RecordedChannel, ...] = ()
        sides = [self._side(site) for site in ("a", "b")]
        shape = LinkAccess("l_left", "left", "", active=sides[1], standby=sides[0])
        self.gateway = NodeGateway(shape, lambda: self.recorded)

    def _side(self, site: str) -> ClusterAccess:
        nodes = [node for node in self.lab.nodes if node.site == site]
        accesses = tuple(access(self.lab, node.name) for node in nodes)
        ids = {node.name: node.server_id for node in nodes}
        return ClusterAccess(f"c_{site}", f"side-{site}", site, accesses, known_server_ids=ids)

    def carry(self, *statements: str) -> None:
        """Written on B and passed by A's channel, which the console sees run at its end."""
        run(self.lab, SOURCE, *statements)
        wait_for(lambda: executed(self.lab, REPLICA) == end_of_log(self.lab, SOURCE), "it to be carried")
        link = self.gateway.observe_link()
        (holder,) = link.holders(Direction.FORWARD)
        self.recorded = (RecordedChannel(Direction.FORWARD, REPLICA, SOURCE, holder.channel, time.time()),)

    def skip(self, statement: str) -> None:
        """A person lets the channel pass over one transaction."""
        run(self.lab, REPLICA, "STOP ALL SLAVES")
        run(self.lab, SOURCE, statement)
        name = channel(self.lab, REPLICA)["Connection_name"]
        run(
            self.lab, REPLICA, f"SET default_master_connection='{name}'",
            "SET GLOBAL sql_slave_skip_counter=1", "START ALL SLAVES",
        )  # fmt: skip

    def locate(self) -> Located:
        """The place on B, once the channel was stopped."""
        run(self.lab, REPLICA, "STOP ALL SLAVES")
        link = self.gateway.observe_link()
        question = LocateRequest(Direction.FORWARD, SOURCE, REPLICA, REPLICA, SOURCE, is_moving=False)
        return locate_direction(question, link, self.gateway, RebuiltRows(self.gateway))


@pytest.fixture
def returned(lab: Lab) -> Iterator[Returned]:
    """Rows that both sides have, and A's own count of one of them, which B never got."""
    reset(lab)
    found = Returned(lab)
    values = ", ".join(f"({number}, 1, '-')" for number in range(1, 20))
    run(lab, REPLICA, ROWS, f"INSERT INTO bank.overwritten VALUES {values}")
    wait_for(lambda: executed(lab, SOURCE) == end_of_log(lab, REPLICA), "B to have what A wrote")
    run(lab, SOURCE, "STOP ALL SLAVES")
    run(lab, REPLICA, "UPDATE bank.overwritten SET n = n + 1 WHERE id IN (1, 2, 3)")
    found.carry(*(f"UPDATE bank.overwritten SET site = 'b' WHERE id = {number}" for number in range(9, 18)))
    yield found
    found.gateway.close()
    reset(lab)


def content_of(located: Located) -> str:
    return next(evidence.detail for evidence in located.evidence if evidence.family is Family.CONTENT)


def logged_since(lab: Lab, node: str, start: FilePosition, *, word: str) -> list[str]:
    """Texts of statements in that node's log behind `start` that contain the word."""
    rows = lab.sql(node, f"SHOW BINLOG EVENTS IN '{start.file}' FROM {start.offset}")
    return [str(row["Info"]) for row in rows if row["Event_type"] == "Annotate_rows" and word in str(row["Info"])]


def test_locate__old_channel_came_to_a_row_that_was_so_already__no_log_has_it_and_the_place_is_proven(
    returned: Returned,
) -> None:
    starts = {name: end_of_log(returned.lab, name) for name in (SOURCE, REPLICA, NEIGHBOUR)}
    returned.carry(
        "UPDATE bank.overwritten SET site = 'b' WHERE id = 8",
        "UPDATE bank.overwritten SET n = n + 1 WHERE id = 1",
        "DELETE FROM bank.overwritten WHERE id = 7",
    )
    wait_until_applied(returned.lab, REPLICA, NEIGHBOUR)
    logged = {name: len(logged_since(returned.lab, name, start, word="n + 1")) for name, start in starts.items()}
    assert logged == {SOURCE: 1, REPLICA: 0, NEIGHBOUR: 0}
    located = returned.locate()
    assert located.is_proven, located.reasons
    assert located.position == end_of_log(returned.lab, SOURCE)
    assert "changed nothing" in content_of(located)
    assert len(located.applied) == 1


def test_locate__transaction_skipped_by_a_person__refused_by_name(returned: Returned) -> None:
    returned.skip("UPDATE bank.overwritten SET n = n + 1 WHERE id = 5")
    returned.carry("DELETE FROM bank.overwritten WHERE id = 7")
    located = returned.locate()
    assert not located.is_proven
    reasons = " ".join(located.reasons)
    assert "update overwritten" in reasons
    assert "are not there as it left them" in reasons


def test_locate__one_skipped_among_those_without_effect__refused(returned: Returned) -> None:
    returned.carry("UPDATE bank.overwritten SET n = n + 1 WHERE id = 1")
    returned.skip("UPDATE bank.overwritten SET n = n + 1 WHERE id = 5")
    returned.carry("UPDATE bank.overwritten SET n = n + 1 WHERE id = 2")
    assert not returned.locate().is_proven


def test_locate__operator_may_not_look_into_the_table__refused_and_says_so(returned: Returned) -> None:
    returned.carry("UPDATE bank.overwritten SET n = n + 1 WHERE id = 1")
    run(returned.lab, REPLICA, "REVOKE SELECT ON bank.* FROM hawser_operator")
    try:
        located = returned.locate()
    finally:
        run(returned.lab, REPLICA, "GRANT SELECT ON bank.* TO hawser_operator")
    assert not located.is_proven
    assert "cannot tell whether it is in effect" in " ".join(located.reasons)
