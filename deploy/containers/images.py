"""Our own images, built from the project's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from deploy.containers import base_images
from deploy.containers.engine import Engine
from deploy.release.version import VERSION
from deploy.services.process import ROOT

CONSOLE, DEMO = f"hawser/console:{VERSION}", f"hawser/demo:{VERSION}"
_BUILD_S = 1200


def build(
    engine: Engine, target: str, name: str, say: Callable[[str], None], tree: Path = ROOT, *, is_fresh: bool = False
) -> None:
    """Build one target of a source tree's file; the base images are made first where they are missing.

    A fresh build uses no layer of an earlier one.
    """
    base_images.ensure(engine, say)
    say(f"building {name}")
    engine.docker(
        "build", "--network", "host", "--target", target, "--tag", name, *(["--no-cache"] if is_fresh else []),
        "--file", str(tree / "deploy/images/Dockerfile"), str(tree), limit_s=_BUILD_S,
    )  # fmt: skip
