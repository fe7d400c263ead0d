"""The router itself, on real namespaces without servers: what is set is what a client measures."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from deploy.lab.errors import LabError
from deploy.lab.layout import Node, Paths, Settings, nodes_of
from deploy.lab.server import process
from deploy.lab.wan import lifecycle, namespaces, requirements
from deploy.lab.wan.addresses import ends_of, namespace, network
from deploy.lab.wan.devices import within
from deploy.lab.wan.distance import Distance
from deploy.lab.wan.plan import Rule
from deploy.lab.wan.protocol import NAME
from deploy.lab.wan.shape import Shape
from deploy.services.net import free_net
from tests.support.waiting import patience, wait_for

LACKING = requirements.missing(requirements.own_status())
pytestmark = pytest.mark.skipif(bool(LACKING), reason="; ".join(LACKING))

ECHO_PORT = 7007
ENTERING_MS = 40.0
"""What two programs on a very busy machine add to a round trip, in the median; accuracy is for `make bench`."""


class Site:
    """A lab's distance without its servers."""

    def __init__(self, home: Path) -> None:
        self.paths = Paths(home)
        self.settings = Settings(net=free_net(), sizes=(1, 1), wan=True)
        for folder in self.paths.folders():
            folder.mkdir(parents=True, exist_ok=True)
        self.paths.settings.write_text(json.dumps(asdict(self.settings)))
        self.near, self.far = nodes_of(self.settings)
        lifecycle.start(self.paths, self.settings)

    @property
    def distance(self) -> Distance:
        return Distance(self.paths, self.settings)

    def open(self, node: Node, kind: socket.SocketKind) -> socket.socket:
        """A socket of that node, with a time limit."""
        with within(namespace(self.paths.home, node.name)):
            made = socket.socket(socket.AF_INET, kind)
        made.settimeout(60)
        return made

    def end(self) -> None:
        lifecycle.remove(self.paths, self.settings)
        shutil.rmtree(self.paths.home)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = Site(Path(tempfile.mkdtemp(prefix="hawser-wan-")))
    echo = made.open(made.far, socket.SOCK_DGRAM)
    echo.settimeout(None)
    echo.bind((made.far.host, ECHO_PORT))
    threading.Thread(target=_echo, args=(echo,), daemon=True).start()
    try:
        yield made
    finally:
        echo.close()
        made.end()


def _echo(server: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the socket is closed at the end
        while True:
            data, sender = server.recvfrom(2000)
            server.sendto(data, sender)


@pytest.fixture
def client(site: Site) -> Iterator[socket.socket]:
    with site.open(site.near, socket.SOCK_DGRAM) as made:
        made.connect((site.far.host, ECHO_PORT))
        yield made


def round_trips(client: socket.socket, number: int) -> list[float]:
    """In ms."""
    found: list[float] = []
    for _ in range(number):
        began = time.monotonic()
        client.send(b"x" * 36)
        client.recv(100)
        found.append((time.monotonic() - began) * 1000)
    return found


def apart(site: Site, there: Shape, back: Shape) -> None:
    site.distance.set([Rule("a", "b", there), Rule("b", "a", back)])
    site.distance.reset()


def test_delay__changed_while_running__measured_and_bytes_counted(site: Site, client: socket.socket) -> None:
    for there, back in ((25, 25), (5, 15), (0, 0)):
        apart(site, Shape(delay_ms=there), Shape(delay_ms=back))
        found = round_trips(client, 20)
        assert there + back <= min(found) <= there + back + ENTERING_MS * patience(), found
        pairs = {(pair["from"], pair["to"]): pair for pair in site.distance.report()["pairs"]}
        for ends in ((site.near.name, site.far.name), (site.far.name, site.near.name)):
            assert (pairs[ends]["packets"], pairs[ends]["bytes"]) == (20, 20 * (36 + 28))


def test_loss__a_burst__lost_as_set_and_counted(site: Site, client: socket.socket) -> None:
    apart(site, Shape(delay_ms=5, loss_percent=10), Shape())

    def counted() -> tuple[int, int]:
        pairs = site.distance.report()["pairs"]
        pair = next(p for p in pairs if p["from"] == site.near.name and p["to"] == site.far.name)
        return pair["packets"], pair["lost"]

    arrived = lost = 0
    for sent in range(100, 501, 100):  # a socket's buffer holds some 250 packets
        for _ in range(100):
            client.send(b"x")
        wait_for(lambda sent=sent: sum(counted()) == sent, "all to be sent on or lost", seen=lambda _: counted())
        sent_on, lost = counted()
        while arrived < sent_on:
            client.recv(10)
            arrived += 1
    assert 16 <= lost <= 84  # 50, five standard deviations around it
    client.settimeout(0.1)
    with pytest.raises(TimeoutError):
        client.recv(10)


def test_tcp__over_distance_with_rate__connects_in_one_round_trip_and_keeps_the_rate(site: Site) -> None:
    apart(site, Shape(delay_ms=10, rate_mbit=20), Shape(delay_ms=10))
    with site.open(site.far, socket.SOCK_STREAM) as server, site.open(site.near, socket.SOCK_STREAM) as client:
        server.bind((site.far.host, 7008))
        server.listen()
        began = time.monotonic()
        client.connect((site.far.host, 7008))
        connected = (time.monotonic() - began) * 1000
        peer, _ = server.accept()
        peer.settimeout(60)
        threading.Thread(target=client.sendall, args=(bytes(1_000_000),), daemon=True).start()
        began, received = time.monotonic(), 0
        while received < 1_000_000:
            received += len(peer.recv(65_536))
        seconds = time.monotonic() - began
        peer.close()
    assert 20 <= connected <= 20 + 3 * ENTERING_MS * patience()
    assert 0.4 <= seconds <= 5 * patience()  # 8 Mbit at 20 Mbit/s


def test_cut__and_healed__nothing_arrives_meanwhile(site: Site, client: socket.socket) -> None:
    apart(site, Shape(), Shape())
    site.distance.cut([(site.near, site.far)])
    client.settimeout(0.1)
    client.send(b"x")
    with pytest.raises(TimeoutError):
        client.recv(10)
    assert site.distance.heal()
    assert not site.distance.heal()
    client.settimeout(60)
    assert round_trips(client, 1)


def test_request__unknown_end__refused_and_the_plan_stays(site: Site) -> None:
    before = site.distance.plan
    with pytest.raises(LabError, match="there is no 'c' in this lab"):
        site.distance.set([Rule("a", "c", Shape(5))])
    assert site.distance.plan == before
    assert site.paths.socket(NAME).stat().st_mode & 0o077 == 0


def test_router__killed__started_again_with_its_shapes(site: Site, client: socket.socket) -> None:
    apart(site, Shape(delay_ms=10), Shape(delay_ms=10))
    assert process.send(site.paths.pid(NAME), signal.SIGKILL)
    process.wait_until(lambda: not lifecycle.is_running(site.paths), 60, "its end")
    client.settimeout(0.1)
    with contextlib.suppress(OSError):  # unreachable: nothing of the lab's network leaves the machine
        client.send(b"x")
    routes = subprocess.run(["ip", "route", "get", site.far.host], check=False, capture_output=True, text=True)
    assert "unreachable" in routes.stderr or "No route" in routes.stderr or "unreachable" in routes.stdout
    assert lifecycle.start(site.paths, site.settings)
    assert not lifecycle.start(site.paths, site.settings)
    client.settimeout(60)
    assert min(round_trips(client, 3)) >= 20


def test_removal__after_a_crash__by_name_and_only_what_is_empty() -> None:
    home = Path(tempfile.mkdtemp(prefix="hawser-wan-"))
    settings = Settings(net=free_net(), sizes=(1, 1), wan=True)
    ends = ends_of(settings, nodes_of(settings))[:2]
    namespaces.create(home, ends, network(settings))
    paths = Paths(home)
    with subprocess.Popen([*namespaces.entry(home, "db-a1"), "sleep", "30"]) as stranger:
        here = Path("/proc/self/ns/net").readlink()
        wait_for(lambda: Path(f"/proc/{stranger.pid}/ns/net").readlink() != here, "it to be in the namespace")
        (staying,) = lifecycle.remove(paths, settings)
        assert f"process {stranger.pid} runs in it" in staying
        assert stranger.poll() is None
        stranger.kill()
    assert lifecycle.remove(paths, settings) == []
    assert namespaces.present(home) == []
    assert lifecycle.remove(paths, settings) == []
    home.rmdir()


def test_start__network_already_routed__refused_with_the_remedy(site: Site) -> None:
    with pytest.raises(LabError, match="Choose another HAWSER_LAB_NET"):
        namespaces.require_free(site.paths.home / "other", network(site.settings))
