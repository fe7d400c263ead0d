"""The client `hawser` as a wheel, built without the network."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from deploy.services.process import PYTHON, ROOT, run

_FILES = ("hawser.py", "pyproject.toml")


def build_wheel(out: Path, time: int) -> Path:
    """The wheel; from a copy of the sources, with modes of its own, so that neither mask nor date goes into it."""
    with tempfile.TemporaryDirectory(prefix="hawser-client-") as folder:
        for name in _FILES:
            shutil.copyfile(ROOT / "deploy/client" / name, Path(folder) / name)
            (Path(folder) / name).chmod(0o644)
        options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir"]
        command = [PYTHON, "-m", "pip", "wheel", *options, "--wheel-dir", str(out), folder]
        run(command, env={"SOURCE_DATE_EPOCH": str(time)})
    (wheel,) = out.glob("hawser_client-*.whl")
    return wheel
