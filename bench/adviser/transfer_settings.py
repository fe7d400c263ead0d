"""What a limit of the rate and pigz change of an SST: rows beside those of `state_transfer`, on the same page.

Needs the Debian packages pv and pigz: without pv the script of the SST drops the limit and only logs that.
"""

from __future__ import annotations

import shutil
import sys

from bench.adviser import page
from bench.adviser.state_transfer import COMPRESSED, LIMIT_S, Case, measured, save, text_of
from bench.adviser.state_transfer import NAME as PAGE
from bench.machine import describe
from bench.workspace import default_workspace
from deploy.lab.api import Lab

NAME = "state-transfer-settings"
PROGRAMS = ("pv", "pigz", "zstd")
_PIGZ = {"compressor": "'pigz -1 -p2'", "decompressor": "'pigz -dc'"}


def _limited(limit: str, title: str) -> Case:
    return Case(title, transfer={"rlimit": limit}, donor_log=f"Rate-limiting SST to {limit}")


LAN_CASES = (
    Case("dedicated donor"),
    _limited("50m", "rlimit of 50 MiB/s"),
    Case("pigz on both ends", transfer=_PIGZ),
    Case("zstd on both ends", transfer=COMPRESSED),
)
THIN_CASES = (
    Case("dedicated donor"),
    _limited("12m", "rlimit of 12 MiB/s, half of the line"),
    Case("pigz on both ends", transfer=_PIGZ),
    Case("zstd on both ends", transfer=COMPRESSED),
)


def main() -> int:
    """Exit code 0 when every transfer ended in Synced, 2 where a program is missing."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        print(f"Install {', '.join(missing)} (Debian packages) to measure them.", file=sys.stderr)
        return 2
    workspace = default_workspace(LIMIT_S)
    transfers = list(measured(Lab(workspace.lab_home, workspace.net), LAN_CASES, THIN_CASES))
    machine = describe()
    save(workspace, NAME, transfers, machine)
    page.publish(NAME, text_of(transfers, machine), PAGE)
    return 0
