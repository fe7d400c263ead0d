"""The console's host has no room, no inode or no descriptor left: that tells nothing about a node, and passes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.core.topology import NodeRef, Reach
from backend.gateway.connection import tls
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from backend.gateway.polling.poll import poll_node
from backend.gateway.polling.pollers import PollerSet
from deploy.services.net import free_port
from tests.support.waiting import wait_for

PEM = "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n"
NODE = NodeRef("n_1", "db-a1", "127.0.0.1", 1, "c_a")
READS = "import sys, pathlib; sys.stdout.write(pathlib.Path(sys.argv[1]).read_text())"


def endpoint() -> NodeEndpoint:
    """Of a port without a server."""
    return NodeEndpoint("127.0.0.1", free_port(), "hawser_monitor", "secret", Tls(TlsMode.VERIFY_CA, PEM))


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No process of this host can make a temporary file."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not-there"))
    monkeypatch.setattr(tls, "_files", {})


def test_files_of_the_driver__host_without_room__are_in_memory_and_readable(no_room: None) -> None:
    for path, content in ((tls.pem_file(PEM), PEM), (tls.pem_file(PEM), PEM)):
        assert path.read_text() == content
    assert "restricted-auth=" in tls.plugin_file(Tls()).read_text()
    assert tls.pem_file(PEM) == tls.pem_file(PEM)
    assert tls.pem_file(PEM) != tls.pem_file(PEM + "\n")


def test_files_of_the_driver__another_program__is_not_handed_them() -> None:
    found = subprocess.run([sys.executable, "-c", READS, str(tls.pem_file(PEM))], capture_output=True, check=False)
    assert PEM.encode() not in found.stdout


def test_poll__host_without_room__tells_of_the_node_what_it_is(no_room: None) -> None:
    facts = poll_node(Session("db-a1", endpoint(), read_only=True), NODE)
    assert (facts.reach, "connection refused" in facts.error) == (Reach.DOWN, True)


def without_descriptors(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """None is left, until what is returned is called."""
    create = os.memfd_create

    def refuse(name: str) -> int:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(tls, "_files", {})
    monkeypatch.setattr(os, "memfd_create", refuse)
    return lambda: monkeypatch.setattr(os, "memfd_create", create)


def test_session__no_descriptor_left__says_nothing_of_the_node(monkeypatch: pytest.MonkeyPatch) -> None:
    without_descriptors(monkeypatch)
    with pytest.raises((ConnectError, OSError)) as raised:
        Session("db-a1", endpoint(), read_only=True).open()
    assert isinstance(raised.value, ConnectError)
    assert (raised.value.reach, "Too many open files" in raised.value.message) == (Reach.UNKNOWN, True)


def test_pollers__no_descriptor_left_for_a_while__unknown_then_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that ended of it would leave its node hung for good."""
    restore = without_descriptors(monkeypatch)
    pollers = PollerSet()
    pollers.set_nodes([NodeAccess(NODE, endpoint(), endpoint())])
    try:
        assert pollers.tick(2.0)["n_1"].facts.reach is Reach.UNKNOWN
        restore()
        wait_for(lambda: pollers.tick(0.5)["n_1"].facts.reach is Reach.DOWN, "the node to be known again", 5)
    finally:
        pollers.close()


def test_session__name_that_does_not_resolve__says_nothing_of_the_node() -> None:
    """Not down: a name server that is lost must not look like a site that is."""
    nameless = NodeEndpoint("db-a1.invalid", 3306, "hawser_monitor", "secret")
    facts = poll_node(Session("db-a1", nameless, read_only=True), NODE)
    assert (facts.reach, facts.error) == (Reach.UNKNOWN, "db-a1.invalid does not resolve")
