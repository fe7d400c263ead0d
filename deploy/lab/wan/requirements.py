"""What a lab with distance needs of the machine, said before anything is started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from deploy.lab.errors import LabError

TUN = Path("/dev/net/tun")
CAPABILITIES = {12: "CAP_NET_ADMIN", 21: "CAP_SYS_ADMIN"}
PROGRAMS = {"ip": "iproute2", "nsenter": "util-linux"}


def require(missing: list[str]) -> None:
    """LabError with one sentence if something is missing."""
    if missing:
        raise LabError(
            f"a lab with distance is not possible here: {'; '.join(missing)}. Without --wan the lab needs none of it"
        )


def missing(status: str, tun: Path = TUN) -> list[str]:
    """What is missing and how it is had; `status` is the text of /proc/self/status."""
    found = [
        f"the program {program} is missing (install the Debian package {package})"
        for program, package in PROGRAMS.items()
        if shutil.which(program) is None
    ]
    held = _effective(status)
    lacking = [name for bit, name in CAPABILITIES.items() if not held >> bit & 1]
    if lacking:
        found.append(f"this process lacks {' and '.join(lacking)} (run it as root, or in a container with both)")
    if not tun.exists():
        found.append(f"{tun} does not exist (modprobe tun; in a container: --device {tun})")
    elif not os.access(tun, os.R_OK | os.W_OK):
        found.append(f"{tun} may not be opened (run as root)")
    return found


def own_status() -> str:
    """What the kernel says of this process."""
    return Path("/proc/self/status").read_text()


def _effective(status: str) -> int:
    for line in status.splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0
