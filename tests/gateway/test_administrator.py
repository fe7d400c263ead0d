"""Discovery with an administrator's account: where it connects to, and what it does with a server that lies."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

from backend.common.outgoing.resolving import AddressPolicy
from backend.core.discovery.tls import MODES
from backend.gateway.administrator import Login, discover, discover_each
from tests.gateway.rogue import rogue

SECRET = "canary-of-the-administrator"
LOGIN = Login("boss", SECRET, policy=AddressPolicy((ipaddress.ip_network("127.0.0.0/8"),), "HAWSER_ALLOWED_NETWORKS"))


def test_discover__address_that_a_server_named_outside_the_networks__not_connected_to() -> None:
    (found,) = discover_each([("192.0.2.7", 3306)], LOGIN)
    assert not found.is_up
    assert "which is refused: the address is outside HAWSER_ALLOWED_NETWORKS" in found.error


def test_discover__nothing_listens__down_and_its_members_unknown() -> None:
    found = discover(("127.0.0.1", 1), [("127.0.0.2", 1)], LOGIN)
    assert [(one.reach, one.channels) for one in found.servers] == [("down", None)]
    assert found.may_create is None


def test_discover__without_a_certificate__verification_not_tried() -> None:
    (found,) = discover_each([("127.0.0.1", 1)], LOGIN)
    assert {one.mode: one.works for one in found.tls} == dict.fromkeys(MODES[:2])


def test_discover__server_asks_for_the_password_in_clear__it_stays_here() -> None:
    with rogue(plugin=b"mysql_clear_password") as (endpoint, served):
        found = discover((endpoint.host, endpoint.port), (), replace(LOGIN, modes=("disabled",)))
    assert not found.servers[0].is_up
    assert SECRET not in str(found)
    assert SECRET.encode() not in served[0].heard


def test_login__shown__without_its_password() -> None:
    assert SECRET not in repr(LOGIN)
    assert SECRET not in repr(LOGIN.endpoint("127.0.0.1", 1, "disabled"))
