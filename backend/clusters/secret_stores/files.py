"""Files of the host: of systemd, of Docker, and of Kubernetes, which replaces a symbolic link when a secret changes.

Only files below HAWSER_SECRET_PATHS are read, whatever symbolic link leads there, and never those that hold the
console's own keys: an administrator could otherwise send them, as a password, to a server of his own.
"""

from __future__ import annotations

import os
import stat
from functools import partial
from pathlib import Path

from django.conf import settings

from backend.clusters.secret_stores.bound import check_environment
from backend.clusters.secret_stores.model import (
    MOST_BYTES,
    ReferenceRefusedError,
    Secret,
    StoreError,
    WithoutLeases,
    one_line,
)

_ENDS = ("_FILE", "_PATH")


class FileStore(WithoutLeases):
    """`file:/run/secrets/name`."""

    def check(self, name: str, environment: str | None = None) -> None:
        """Refuse what is not below an allowed folder, and the console's own files."""
        path = Path(name)
        if not path.is_absolute() or ".." in path.parts or "\0" in name:
            raise ReferenceRefusedError("Give the whole path of the file, such as file:/run/secrets/milan_monitor.")
        for place in (path, _real(path)):
            check_environment(
                settings.HAWSER_SECRET_PATHS,
                partial(_is_below, place),
                environment,
                f"{name} is not below a folder of HAWSER_SECRET_PATHS. Move the file there, "
                "or let the host's administrator add its folder to that setting.",
            )
        if path in _own_files() or _real(path) in {_real(own) for own in _own_files()}:
            raise ReferenceRefusedError(f"{name} holds a key of the console. Name a file with a database password.")

    def read(self, name: str) -> Secret:
        """The file's content; its real place is checked again at each reading."""
        try:
            real = Path(name).resolve(strict=True)
            self.check(name)
            self.check(str(real))
            return Secret(one_line(_content(real), f"file:{name}"))
        except ReferenceRefusedError as error:
            raise StoreError(str(error)) from None
        except OSError as error:
            raise StoreError(f"file:{name} cannot be read: {error.strerror}.") from None


def check_spelling(name: str) -> None:
    """Refuse all spellings of a path but one: what is compared, or searched for in records, has one name."""
    spelt = str(Path(name))
    if spelt != name:
        raise ReferenceRefusedError(f"Write this path as file:{spelt}. Nothing else names the file.")


def real_reference(name: str) -> str:
    """What all names of one file have in common now, links followed. Never stored: a link may lead elsewhere later."""
    return f"file:{_real(Path(name))}"


def _content(path: Path) -> bytes:
    """A regular file's bytes. A pipe is not waited for, and a link that appeared since is not followed."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StoreError(f"{path.name} is not a file.")
        return file.read(MOST_BYTES + 1)


def _is_below(path: Path, folder: str) -> bool:
    return path.is_relative_to(folder) or path.is_relative_to(_real(Path(folder)))


def _own_files() -> set[Path]:
    """The files that settings name: keys of the console, and its login at the vault."""
    return {Path(value) for name, value in os.environ.items() if name.startswith("HAWSER_") and name.endswith(_ENDS)}


def _real(path: Path) -> Path:
    return path.resolve()
