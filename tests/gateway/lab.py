"""A small lab of its own for tests that stop, freeze and hurt servers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess, NodeAccess, NodeEndpoint, Tls
from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.layout import Settings
from deploy.services.net import free_net

_RESET_TO: dict[Lab, Settings] = {}
"""What a lab was when it stood: one whose reset failed does not know it any more."""


@pytest.fixture(scope="package")
def lab() -> Iterator[Lab]:
    """Two nodes at site a, one at site b; a test that leaves traces in it resets it."""
    with lab_of(Settings(sizes=(2, 1))) as made:
        yield made


def reset(lab: Lab) -> None:
    """Empty logs and no channel ever moved; a lab that cannot be reset is built from nothing, with its own settings.

    Without that, one reset that failed left no lab, and every test behind it failed with it.
    """
    if lab.exists:
        _RESET_TO[lab] = lab.settings
        try:
            lab.reset_fast()
        except LabError:
            lab.down()
    if not lab.exists:
        lab.up(_RESET_TO[lab])


@contextmanager
def lab_of(settings: Settings) -> Iterator[Lab]:
    """A lab on loopback addresses no other lab uses, taken down after the test."""
    home = Path(tempfile.mkdtemp(prefix="hawser-gw-"))
    made = Lab(home / "lab", free_net())
    try:
        made.up(settings)
        yield made
    finally:
        if made.exists:
            made.down()
        shutil.rmtree(home, ignore_errors=True)


def endpoint(lab: Lab, name: str, role: str, tls: Tls | None = None, **changes: str) -> NodeEndpoint:
    """An account on a node of the lab."""
    node, account = lab.node(name), lab.accounts[role]
    password = changes.get("password", account.password)
    return NodeEndpoint(node.host, node.port, account.user, password, tls or Tls())


def access(lab: Lab, name: str) -> NodeAccess:
    """A node with its accounts; its name is its id, its site its cluster."""
    node = lab.node(name)
    ref = NodeRef(name, name, node.host, node.port, node.site)
    return NodeAccess(ref, endpoint(lab, name, "monitor"), endpoint(lab, name, "operator"))


def ca_pem(lab: Lab) -> str:
    """The lab's own certificate authority."""
    return (lab.paths.tls / "ca.pem").read_text()


def link_access(lab: Lab) -> LinkAccess:
    """Site a active."""
    sides = []
    for site in ("a", "b"):
        nodes = [node for node in lab.nodes if node.site == site]
        ids = {node.name: node.server_id for node in nodes}
        accesses = tuple(access(lab, node.name) for node in nodes)
        sides.append(ClusterAccess(f"c_{site}", f"side-{site}", site, accesses, known_server_ids=ids))
    return LinkAccess("l_errors", "errors", "", active=sides[0], standby=sides[1])
