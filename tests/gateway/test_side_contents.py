"""Real servers: what two sides hold is read and compared, whatever kind of table it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from backend.core.equal_data.comparison import differences
from backend.core.equal_data.contents import SideContents
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.side_contents import missing_grants, read_sides
from deploy.lab.api import Lab
from tests.gateway.lab import access, reset

pytestmark = pytest.mark.server
NODES = ("db-a1", "db-b1")
SCHEMA = "odd`schema"
STATEMENTS = (
    "CREATE DATABASE `odd``schema`",
    "CREATE TABLE `odd``schema`.`a``t` (id INT AUTO_INCREMENT PRIMARY KEY, d DOUBLE, j LONGTEXT, n INT AS (4) STORED)",
    "INSERT INTO `odd``schema`.`a``t` (id, d, j) VALUES (1, 0.1, 'ä'), (2, 1e300, NULL)",
    "CREATE TABLE `odd``schema`.crashsafe (id INT PRIMARY KEY, n INT) ENGINE=Aria",
    "CREATE VIEW `odd``schema`.v AS SELECT id FROM `odd``schema`.`a``t`",
    "CREATE TABLE `odd``schema`.versions (id INT PRIMARY KEY) WITH SYSTEM VERSIONING",
    "CREATE SEQUENCE `odd``schema`.seq NOCACHE",
)


@pytest.fixture(scope="module")
def apart(lab: Lab) -> Iterator[Lab]:
    """The lab without replication between its sites."""
    reset(lab)
    for node in NODES:
        lab.sql(node, "STOP ALL SLAVES")
    yield lab
    reset(lab)


@pytest.fixture
def sides(apart: Lab) -> Iterator[NodeGateway]:
    """One node of each side with the same objects, made on each alone."""
    user = apart.accounts["operator"].user
    for node in NODES:
        for statement in (*STATEMENTS, f"GRANT SELECT, SHOW VIEW ON `odd``schema`.* TO {user}@'%'"):
            apart.sql(node, statement)
    shape = [ClusterAccess(f"c_{name[3]}", name, "", (access(apart, name),)) for name in NODES]
    gateway = NodeGateway(LinkAccess("l_new", "new", "", active=shape[0], standby=shape[1]))
    try:
        yield gateway
    finally:
        gateway.close()
        for node in NODES:
            apart.sql(node, "DROP DATABASE `odd``schema`")


def contents(gateway: NodeGateway) -> Sequence[SideContents]:
    """Both sides' objects of the test's schema, with checksums."""
    found = read_sides(
        gateway, [gateway.shape.nodes[0].ref.id, gateway.shape.nodes[1].ref.id], has_checksums=True, limit_s=20
    )
    return [
        SideContents(side.node, {name: table for name, table in side.tables.items() if name.startswith(SCHEMA)})
        for side in found
    ]


def test_sides__equal_objects_of_every_kind__no_difference(sides: NodeGateway) -> None:
    one, other = contents(sides)
    assert {name.removeprefix(f"{SCHEMA}."): table.kind for name, table in one.tables.items()} == {
        "a`t": "BASE TABLE",
        "crashsafe": "BASE TABLE",
        "v": "VIEW",
        "versions": "SYSTEM VERSIONED",
        "seq": "SEQUENCE",
    }
    assert differences(one, other, has_checksums=True) == ()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE `odd``schema`.`a``t` SET d = 0.2 WHERE id = 1", "the rows of odd`schema.a`t differ"),
        ("INSERT INTO `odd``schema`.crashsafe VALUES (1, 1)", "the rows of odd`schema.crashsafe differ"),
        ("ALTER TABLE `odd``schema`.`a``t` ADD x INT", "odd`schema.a`t is defined differently"),
        ("SELECT NEXTVAL(`odd``schema`.seq)", "the rows of odd`schema.seq differ"),
        ("ALTER TABLE `odd``schema`.`a``t` AUTO_INCREMENT = 99", ""),
    ],
)
def test_sides__one_changed__told_by_name(sides: NodeGateway, apart: Lab, statement: str, says: str) -> None:
    apart.sql("db-b1", statement)
    found = differences(*contents(sides), has_checksums=True)
    assert [says] == [text[: len(says)] for text in found] if says else found == ()


def test_sides__rows_without_the_right__refused_not_left_out(sides: NodeGateway, apart: Lab) -> None:
    user = apart.accounts["operator"].user
    apart.sql("db-b1", f"REVOKE SELECT ON `odd``schema`.* FROM {user}@'%'")
    with pytest.raises(NodeError) as refused:
        contents(sides)
    assert refused.value.code == 1142


def test_missing_grants__as_documented_for_other_operations__statements_that_suffice(
    sides: NodeGateway, apart: Lab
) -> None:
    """A schema whose name has wildcards of a grant: the statements reach it alone, and nothing is missing then."""
    ids = [sides.shape.nodes[0].ref.id, sides.shape.nodes[1].ref.id]
    user = apart.accounts["operator"].user
    apart.sql("db-b1", "CREATE DATABASE a_b")
    apart.sql("db-b1", "CREATE TABLE a_b.t (id INT PRIMARY KEY)")
    apart.sql("db-b1", f"REVOKE SHOW VIEW ON `odd``schema`.* FROM {user}@'%'")
    try:
        found = [one for one in missing_grants(sides, ids) if one.node == "db-b1"]
        assert [one.statements for one in found] == [
            (
                f"GRANT SELECT ON `a\\_b`.* TO '{user}'@'%';",
                f"GRANT SHOW VIEW ON `odd``schema`.* TO '{user}'@'%';",
            )
        ]
        for one in missing_grants(sides, ids):
            for statement in one.statements:
                apart.sql(one.node, statement.rstrip(";"))
        assert missing_grants(sides, ids) == ()
    finally:
        apart.sql("db-b1", "DROP DATABASE a_b")


def test_sides__tables_that_may_be_hidden__refused_not_taken_for_equal(sides: NodeGateway, apart: Lab) -> None:
    user = apart.accounts["monitor"].user
    for node in NODES:
        apart.sql(node, f"REVOKE REFERENCES ON *.* FROM {user}@'%'")
    try:
        with pytest.raises(NodeError, match=r"lacks REFERENCES on \*\.\*"):
            contents(sides)
        ids = [node.ref.id for node in sides.shape.nodes]
        wanted = (f"GRANT REFERENCES ON *.* TO '{user}'@'%';",)
        assert [one.statements for one in missing_grants(sides, ids)] == [wanted, wanted]
    finally:
        for node in NODES:
            apart.sql(node, f"GRANT REFERENCES ON *.* TO {user}@'%'")
