"""A text that a server or a row tells never becomes a statement that a person copies."""

from __future__ import annotations

from backend.gateway import grants, inspection
from backend.transactions.orphans import report

HOSTILE = "x'@'%'; GRANT ALL ON *.* TO 'y"


def test_remedy__account_name_that_a_server_tells__never_becomes_a_statement() -> None:
    nothing = grants.HeldPrivileges()
    everything = grants.parse(["GRANT SUPER ON *.* TO `x`@`%`"])
    for role in ("monitor", "operator", "replication"):
        for held in (nothing, everything):
            for finding in grants.check("a1", role, f"{HOSTILE}@%", held):
                assert "GRANT" not in finding.remedy
                assert "REVOKE" not in finding.remedy
                assert finding.remedy.startswith("Make sure that a1 is the right server. Hawser offers no statement,")


def test_remedy__proper_account__the_statement_for_it() -> None:
    nothing = grants.HeldPrivileges()
    (missing, *_) = grants.check("a1", "replication", "repl@10.%", nothing)
    assert missing.remedy == "GRANT REPLICATION SLAVE ON *.* TO 'repl'@'10.%';"


def test_remedy__stored_account_name__never_becomes_a_statement() -> None:
    assert inspection._new_account("repl").endswith("grants of its role: CREATE USER 'repl'@'%' IDENTIFIED BY '…';")
    assert inspection._new_account(HOSTILE).startswith("Register the cluster with another account:")
    hostile = grants.parse([f"GRANT USAGE ON *.* TO `{HOSTILE}`@`%`"]).account
    assert "GRANT" not in report._grant(["INSERT"], "shop", hostile)
    proper = grants.parse(["GRANT USAGE ON *.* TO `op`@`10.%` IDENTIFIED BY PASSWORD '*1'"]).account
    assert report._grant(["INSERT"], "a`b_c", proper) == "GRANT INSERT ON `a``b\\_c`.* TO 'op'@'10.%';"
