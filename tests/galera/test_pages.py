"""The first tutorial's relocation by `curl` and docs/reference/automation-by-api.md, run word for word."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.galera.scene import Scene
from tests.galera.sites import begin, slow
from tests.galera.stack import ROOT

_BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def run_page(scene: Scene, folder: Path, page: str, limit_s: float) -> subprocess.CompletedProcess[str]:
    """All its shell blocks as one script; only the address and the places of its files are the test's own."""
    blocks = "\n".join(_BLOCK.findall((ROOT / "docs" / page).read_text()))
    assert "/runs" in blocks
    token = folder / "token"
    token.write_text(scene.stack.facts["token"])
    script = blocks.replace("http://127.0.0.1:8800", scene.console.url).replace(".demo/secrets/token", str(token))
    script = script.replace(">orphans.jsonl", f">{folder}/orphans.jsonl")
    bash = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(bash, cwd=ROOT, capture_output=True, text=True, timeout=limit_s, check=False)


def test_first_relocation__curl_blocks_in_order__lost_0_doubled_0(scene: Scene, tmp_path: Path) -> None:
    for channel in scene.console.link()["channels"]:
        if channel["direction"] == "forward" and channel["source_name"] != "db-a1":
            scene.console.relocate(source_node=scene.console.node_id("db-a1"))
    done = run_page(scene, tmp_path, "tutorials/first-relocation.md", 240)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert '"state": "succeeded"' in done.stdout
    assert "lost 0, doubled 0, nodes identical" in done.stdout


def test_incident_api__page_run_in_order__every_run_succeeds_and_nothing_is_lost(scene: Scene, tmp_path: Path) -> None:
    """The load is the test's own: DDL among orphans would leave only a rebuild."""
    begin(scene)
    scene.stop_writes()
    scene.stack.lab.load_start(slow(scene))
    done = run_page(scene, tmp_path, "reference/automation-by-api.md", 280)
    output = done.stdout[-6000:] + done.stderr[-2000:]
    assert done.returncode == 0, output
    assert '"state": "failed"' not in done.stdout, output
    assert '"state": "needs_operator"' not in done.stdout, output
    assert done.stdout.count('"state": "succeeded"') == 5, output
    assert "lost 0, doubled 0, nodes identical" in done.stdout, output
