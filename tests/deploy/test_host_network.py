"""What an engine for tests leaves of itself in the filter rules of a machine: nothing, and others' rules stay."""

from __future__ import annotations

from deploy.containers.host_network import without_engine

BEFORE = "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\nCOMMIT\n"
AFTER = """*filter
:INPUT ACCEPT [0:0]
:FORWARD DROP [0:0]
:DOCKER - [0:0]
:DOCKER-USER - [0:0]
-A INPUT -s 203.0.113.7/32 -j DROP
-A FORWARD -j DOCKER-USER
-A FORWARD -i br-18ff8c53a637 -o br-18ff8c53a637 -j ACCEPT
-A DOCKER-USER -j RETURN
COMMIT
"""


def test_rules__after_an_engine__hold_nothing_of_it_and_what_others_added() -> None:
    left = without_engine(AFTER, BEFORE, {"br-18ff8c53a637"})
    assert left == ("*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n-A INPUT -s 203.0.113.7/32 -j DROP\nCOMMIT\n")


def test_policy__that_dropped_before__still_drops() -> None:
    assert ":FORWARD DROP [0:0]" in without_engine(AFTER, BEFORE.replace("FORWARD ACCEPT", "FORWARD DROP"), set())
