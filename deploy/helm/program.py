"""helm: the one on this machine, or one built by Go, pinned and checked against Go's checksum database."""

from __future__ import annotations

import shutil
from pathlib import Path

from deploy.services.process import ROOT, ServiceError, run

VERSION = "v3.22.0"
BUILT = ROOT / ".cache/helm/bin/helm"


def installed() -> str | None:
    """The program that is there, or None."""
    return str(BUILT) if BUILT.is_file() else shutil.which("helm")


def ensure() -> str:
    """The program; it is built if there is none, in a few minutes."""
    found = installed()
    if found:
        return found
    if shutil.which("go") is None:
        raise ServiceError(f"helm is not installed. Install helm {VERSION} or Go 1.26, which builds it.")
    print(f"building helm {VERSION} with Go, once", flush=True)
    _build(BUILT.parent)
    return str(BUILT)


def _build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    env = {"GOBIN": str(folder), "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}
    run(["go", "install", "-trimpath", "-ldflags=-s", f"helm.sh/helm/v3/cmd/helm@{VERSION}"], env=env)
