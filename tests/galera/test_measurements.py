"""What the console measures over distance, against the router that makes the distance."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.galera.console import Json
from tests.galera.scene import Scene
from tests.galera.sites import begin

pytestmark = pytest.mark.whole
WAN = "50ms"
ROUND_TRIP_MS = 50.0
PORT = 4599


def probe(scene: Scene, near: str, far: str, folder: Path) -> str:
    """Run the script between two nodes, as the page says, and return what it prints."""
    console, lab = scene.console, scene.stack.lab
    ends = {"from_node": console.node_id(near), "to_node": console.node_id(far)}
    made = console.call("POST", f"/links/{console.link_id}/network/tokens", ends)
    assert made.status == 201, made
    script = folder / "hawser-network-probe"
    with urllib.request.urlopen(f"{console.url}/api/v1/network-probe", timeout=10) as answer:  # noqa: S310 - loopback only
        script.write_bytes(answer.read())
    env = {**os.environ, "HAWSER_PROBE_TOKEN": str(made.body["token"])}
    address = [str(lab.node(far).host), "--port", str(PORT)]
    named = ["--link", console.link_id, "--from", ends["from_node"], "--to", ends["to_node"]]
    serve = [*lab.entry(far), sys.executable, str(script), "serve", "--listen", *address]
    run = [*lab.entry(near), sys.executable, str(script), "run", "--connect", *address, *named]
    with subprocess.Popen(serve, env=env, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        assert server.stderr.readline().startswith("listening")
        done = subprocess.run(run, env=env, check=True, capture_output=True, text=True, timeout=120)
        assert server.wait(10) == 0
    return done.stdout


def test_probe__over_the_router__its_round_trip_within_a_tenth(scene: Scene, tmp_path: Path) -> None:
    begin(scene)
    output = probe(scene, *scene.pair(), tmp_path)
    path = f"/links/{scene.console.link_id}/network"
    stored = scene.console.call("POST", f"{path}/measurements", {"tool": "hawser-network-probe", "output": output})
    assert stored.status == 201, stored
    figures: Json = stored.body
    assert figures["round_trip"]["p50_ms"] == pytest.approx(ROUND_TRIP_MS, rel=0.1)
    assert figures["retransmitted_percent"] == pytest.approx(0, abs=0.1)
    assert scene.console.get(path)["verdict"]["kind"] == "asynchronous"
    cut = scene.console.call("POST", f"{path}/measurements", {"tool": "hawser-network-probe", "output": output[:900]})
    assert (cut.status, cut.body["errors"][0]["field"]) == (400, "output")
