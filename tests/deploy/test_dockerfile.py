from __future__ import annotations

import re
from fnmatch import fnmatch

import pytest

from deploy.services.process import ROOT
from tests.deploy.compose import services

TEXT = (ROOT / "deploy/images/Dockerfile").read_text().replace("\\\n", " ")
DEFAULTS = dict(re.findall(r"^ARG (\w+)=(\S+)$", TEXT, re.MULTILINE))
STAGES = [
    (re.sub(r"\$\{(\w+)\}", lambda found: DEFAULTS[found[1]], base), name)
    for base, name in re.findall(r"^FROM (\S+) AS (\S+)$", TEXT, re.MULTILINE)
]
COPIES = re.findall(r"^COPY (.+)$", TEXT, re.MULTILINE)
SENT = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]


def _sources() -> list[str]:
    """Files and folders that are copied from the build context."""
    own = [line.split()[:-1] for line in COPIES if not line.startswith("--from=")]
    return [source for line in own for source in line]


@pytest.mark.parametrize("source", _sources())
def test_copied_source__exists_and_is_sent_to_the_build(source: str) -> None:
    path = source.removeprefix("./").rstrip("/")
    assert (ROOT / path).exists()
    assert any(fnmatch(path, pattern) for pattern in SENT)


def test_console_stage__pages_that_the_console_reads__are_copied() -> None:
    assert {"docs/reference/findings.md", "docs/reference/problems.md"} <= set(_sources())


def test_stages__bases__are_earlier_stages_or_pinned_images() -> None:
    known: set[str] = set()
    for base, name in STAGES:
        assert base in known or re.fullmatch(r"[a-z]+:[0-9.]+-bookworm(-slim)?|[a-z]+:[0-9.]+-slim-bookworm", base)
        known.add(name)


@pytest.mark.parametrize("name", ["console", "demo"])
def test_final_stage__user__is_not_root(name: str) -> None:
    body = TEXT.split(f" AS {name}\n")[1].split("\nFROM ")[0]
    users = re.findall(r"^USER (\S+)$", body, re.MULTILINE)
    assert users[-1] == "10001:10001"


def test_stage_names_in_copies__exist() -> None:
    named = set(re.findall(r"from=([a-z]+)", TEXT))
    assert named <= {name for _, name in STAGES}


def test_console_stage__compiler__is_left_behind() -> None:
    body = TEXT.split(" AS console\n")[1].split("\nFROM ")[0]
    assert "gcc" not in body


def test_demo_stage__server_packages__are_those_of_the_setup() -> None:
    wanted = {
        "mariadb-server",
        "galera-4",
        "mariadb-backup",
        "rsync",
        "redis-server",
        "nftables",
        "iproute2",
        "openssl",
    }
    body = TEXT.split(" AS demo\n")[1]
    setup = (ROOT / "deploy/setup/packages.txt").read_text()
    assert all(name in body and name in setup for name in wanted)


def test_base_images__named_by_compose__are_those_of_the_file() -> None:
    for name in ("web", "demo"):
        assert services()[name]["build"]["args"] == DEFAULTS
