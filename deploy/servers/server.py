"""A server that is ready to start: its programs, and what they must be told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from deploy.servers.errors import ServerError

HOST_PROVIDER = Path("/usr/lib/galera/libgalera_smm.so")
_VERSION = re.compile(r"Ver (\d+\.\d+\.\d+)")
_DAEMONS = ("usr/sbin/mariadbd", "bin/mariadbd", "usr/sbin/mysqld", "bin/mysqld")
_INSTALLERS = ("usr/bin/mariadb-install-db", "scripts/mariadb-install-db", "bin/mariadb-install-db")
_PROVIDERS = ("usr/lib/galera/libgalera_smm.so", "usr/lib/galera4/libgalera_smm.so", "lib/libgalera_smm.so")


@dataclass(frozen=True)
class Server:
    """One release on this machine. `options` go into every node's configuration; `path` before the host's PATH.

    `resumes_only_from_storage`: after a clean stop the seqno in grastate.dat may be one above that of the storage
    (the last write-set changed no row). Such a release asks its donor for what follows the first and begins to apply
    after the second: "IST started with wrong seqno", and it neither joins nor stops (10.5.23 with Galera 26.4.18).
    """

    name: str
    daemon: Path
    installer: Path | None
    provider: Path
    options: dict[str, str] = field(default_factory=dict)
    path: tuple[Path, ...] = ()
    resumes_only_from_storage: bool = False

    def environment(self) -> dict[str, str]:
        """The process environment: transfer scripts find this release's programs before the host's."""
        before = os.pathsep.join(str(folder) for folder in self.path)
        host = os.environ.get("PATH", "/usr/bin:/bin")
        return {**os.environ, "PATH": os.pathsep.join(filter(None, [before, host]))}

    def version(self) -> str:
        """What the program says of itself, for example 11.8.9."""
        try:
            answer = subprocess.run(
                [self.daemon, "--no-defaults", "--version"], check=True, capture_output=True, text=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise ServerError(f"{self.daemon} does not run on this machine: {error}") from error
        found = _VERSION.search(answer.stdout)
        if found is None:
            raise ServerError(f"{self.daemon} does not state its version: {answer.stdout.strip()}")
        return found.group(1)


def host(name: str, options: dict[str, str]) -> Server:
    """The server that this machine has installed."""
    found = shutil.which("mariadb-install-db")
    return Server(name, Path("/usr/sbin/mariadbd"), Path(found) if found else None, HOST_PROVIDER, options)


def in_folder(name: str, root: Path, options: dict[str, str]) -> Server:
    """The server whose tree is below `root`; a tree without a provider uses the host's."""
    daemon = _first(root, _DAEMONS)
    if daemon is None:
        raise ServerError(f"{root} holds no server: none of {', '.join(_DAEMONS)}")
    base = daemon.parents[1]
    return Server(
        name,
        daemon,
        _first(root, _INSTALLERS),
        _first(root, _PROVIDERS) or HOST_PROVIDER,
        _folder_options(base) | options,
        tuple(folder for folder in (base / "bin", base / "sbin", base / "scripts") if folder.is_dir()),
    )


def require_galera(server: Server) -> None:
    """ServerError for a release that cannot be a Galera node here."""
    if server.installer is None:
        raise ServerError(f"{server.name} is no Galera server. The lab runs releases of MariaDB with Galera")


def _folder_options(base: Path) -> dict[str, str]:
    """Compiled-in paths lead to the host's files, which are another release's."""
    found = {"basedir": base}
    share = next((base / "share" / part for part in ("mariadb", "mysql", "") if _has_messages(base, part)), None)
    if share is not None:
        found |= {"lc_messages_dir": share, "character_sets_dir": share / "charsets"}
    plugins = [base / "lib" / "mysql" / "plugin", base / "lib" / "plugin"]
    found["plugin_dir"] = next((folder for folder in plugins if folder.is_dir()), base)
    return {name: str(value) for name, value in found.items()}


def _has_messages(base: Path, part: str) -> bool:
    return (base / "share" / part / "english" / "errmsg.sys").exists()


def _first(root: Path, names: tuple[str, ...]) -> Path | None:
    return next((root / name for name in names if (root / name).exists()), None)
