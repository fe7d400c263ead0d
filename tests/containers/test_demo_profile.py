"""The demo of the compose file: six servers, their link and the console in one container without any right."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.containers import images
from deploy.containers.engine import Engine
from deploy.containers.stack import Stack, prepare
from deploy.services.net import free_port
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.whole, pytest.mark.timeout(1200)]


@pytest.fixture
def demo(engine: Engine, tmp_path: Path) -> Iterator[Stack]:
    """`docker compose up`, as README says."""
    images.build(engine, "demo", images.DEMO, print)
    stack = prepare(engine, tmp_path, {"HAWSER_PORT": str(free_port())}, "demo")
    try:
        stack.up()
        yield stack
    finally:
        stack.down()


def _status(url: str) -> str:
    with urllib.request.urlopen(f"{url}/readyz", timeout=20) as answer:  # noqa: S310 - loopback only
        return str(json.load(answer)["status"])


def test_demo__up__is_ready_and_shows_its_link(demo: Stack) -> None:
    url = f"http://127.0.0.1:{demo.env['HAWSER_PORT']}"
    wait_for(lambda: _status(url) == "ready", "the demo to be ready", pause_s=0.5)
    token = demo.compose("exec", "--no-TTY", "demo", "cat", "/var/lib/hawser/demo/secrets/token").strip()
    request = urllib.request.Request(f"{url}/api/v1/links", headers={"Authorization": f"Bearer {token}"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - loopback only
        (link,) = json.load(answer)["results"]
    assert link["name"] == "payments"
    assert demo.inspect("demo")["HostConfig"]["CapDrop"] == ["ALL"]
