"""What the image is made of: two builds of one tree hold the same application, and no more than it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.containers import images
from deploy.containers.engine import Engine
from tests.containers import release

pytestmark = [pytest.mark.whole, pytest.mark.timeout(1800)]
_AGAIN, _OF_A_RELEASE = "hawser/console:again", "hawser/console:release"
_OWN_MB = 200
"""What the image may add to its base: packages, libraries and the application."""


def _digests(engine: Engine, image: str) -> dict[str, str]:
    """SHA-256 of each file of application and libraries, without the libraries' byte code, which bears a time."""
    script = (
        "find /app /usr/local/lib/python3* /usr/local/bin -type f ! -path '*-packages/*.pyc' -exec sha256sum {} +"
        " | sort -k 2"
    )
    lines = engine.docker("run", "--rm", "--entrypoint", "sh", image, "-c", script).splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def test_image__built_twice__holds_the_same_files(engine: Engine) -> None:
    images.build(engine, "console", _AGAIN, print, is_fresh=True)
    first, second = _digests(engine, images.CONSOLE), _digests(engine, _AGAIN)
    assert len(first) > 3000
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()


def test_image__of_a_release__holds_the_same_files(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    tree = release.unpack(release.make(engine, tmp_path / "made"), tmp_path / "tree")
    images.build(engine, "console", _OF_A_RELEASE, print, tree)
    first, second = _digests(engine, images.CONSOLE), _digests(engine, _OF_A_RELEASE)
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()


def test_image__size__is_the_base_and_little_more(engine: Engine) -> None:
    layers = engine.docker("history", "--format", "{{.CreatedBy}}\t{{.Size}}", "--human=false", images.CONSOLE)
    own = [line.split("\t") for line in layers.splitlines() if "buildkit" in line]
    without_upgrades = sum(int(size) for text, size in own if "apt-get upgrade" not in text)
    assert without_upgrades < _OWN_MB * 1_000_000
