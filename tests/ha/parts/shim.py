"""Sets the clock of single processes, and how long the disk takes for their flushes, by a library preloaded to them."""

from __future__ import annotations

import shutil
import struct
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import run

SOURCE = Path(__file__).with_suffix(".c")
_FORM = struct.Struct("=qq")


def why_not() -> str:
    """What this machine lacks; empty where the library can be built."""
    return "" if shutil.which("cc") else "no cc"


def built(home: Path) -> Path:
    """The library, made once."""
    library = home / "shim.so"
    if not library.exists():
        run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", str(library), str(SOURCE), "-ldl"])
    return library


@dataclass(frozen=True)
class Shim:
    """What one process, or several, see of clock and disk."""

    library: Path
    file: Path

    @classmethod
    def of(cls, home: Path, name: str) -> Shim:
        """A right clock and the disk as it is."""
        made = cls(built(home), home / f"shim-{name}")
        made.file.write_bytes(_FORM.pack(0, 0))
        return made

    @property
    def env(self) -> dict[str, str]:
        """What a process is started with."""
        return {"LD_PRELOAD": str(self.library), "HAWSER_SHIM": str(self.file)}

    def set(self, *, ahead_s: int = 0, flush_ms: int = 0) -> None:
        """From now on, in every process that has it."""
        with self.file.open("r+b") as file:
            file.write(_FORM.pack(ahead_s, flush_ms))
