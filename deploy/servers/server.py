"""A server that is ready to start: its programs, and what they must be told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from deploy.servers.errors import ServerError
from deploy.servers.family import PROVIDERS, Family, family_of, transfer_method

HOST_PROVIDER = Path("/usr/lib/galera/libgalera_smm.so")
_VERSION = re.compile(r"Ver (\d+\.\d+\.\d+)")
_DAEMONS = ("usr/sbin/mariadbd", "bin/mariadbd", "usr/sbin/mysqld", "bin/mysqld")
_INSTALLERS = ("usr/bin/mariadb-install-db", "scripts/mariadb-install-db", "bin/mariadb-install-db")
FIRST_MYSQL = (8, 0, 30)
"""Of MySQL's families: the first release that has every option the lab sets (innodb_redo_log_capacity)."""


@dataclass(frozen=True)
class Server:
    """One release on this machine. `options` go into every node's configuration; `path` before the host's PATH.

    `provider` is the Galera library, `transfer` how nodes of MySQL's families are copied whole; each may be missing.

    `resumes_only_from_storage`: after a clean stop the seqno in grastate.dat may be one above that of the storage
    (the last write-set changed no row). Such a release asks its donor for what follows the first and begins to apply
    after the second: "IST started with wrong seqno", and it neither joins nor stops (10.5.23 with Galera 26.4.18).
    """

    name: str
    daemon: Path
    installer: Path | None
    provider: Path | None
    options: dict[str, str] = field(default_factory=dict)
    path: tuple[Path, ...] = ()
    resumes_only_from_storage: bool = False
    family: Family = Family.MARIADB
    transfer: str = ""

    def environment(self) -> dict[str, str]:
        """The process environment: transfer scripts find this release's programs before the host's."""
        before = os.pathsep.join(str(folder) for folder in self.path)
        host = os.environ.get("PATH", "/usr/bin:/bin")
        return {**os.environ, "PATH": os.pathsep.join(filter(None, [before, host]))}

    def version(self) -> str:
        """What the program says of itself, for example 11.8.9."""
        printed = _printed(self.daemon)
        found = _VERSION.search(printed)
        if found is None:
            raise ServerError(f"{self.daemon} does not state its version: {printed.strip()}")
        return found.group(1)

    @property
    def title(self) -> str:
        """Family and version, for example Percona XtraDB Cluster 8.4.8."""
        return f"{self.family.product} {self.version()}"

    @property
    def series(self) -> str:
        """For example 8.4."""
        return self.version().rpartition(".")[0]


def host(name: str, options: dict[str, str]) -> Server:
    """The server that this machine has installed."""
    found = shutil.which("mariadb-install-db")
    return Server(name, Path("/usr/sbin/mariadbd"), Path(found) if found else None, HOST_PROVIDER, options)


def in_folder(name: str, root: Path, options: dict[str, str]) -> Server:
    """The server whose tree is below `root`; a MariaDB without a Galera library uses the host's."""
    daemon = _first(root, _DAEMONS)
    if daemon is None:
        raise ServerError(f"{root} holds no server: none of {', '.join(_DAEMONS)}")
    base, provider = daemon.parents[1], _first(root, PROVIDERS)
    is_mariadb = daemon.name == "mariadbd"
    family = Family.MARIADB if is_mariadb else family_of(_printed(daemon), provider)
    return Server(
        name,
        daemon,
        _first(root, _INSTALLERS),
        provider if family.is_mysql else provider or HOST_PROVIDER,
        _folder_options(base) | options,
        tuple(folder for folder in (base / "bin", base / "sbin", base / "scripts") if folder.is_dir()),
        family=family,
        transfer=transfer_method(base) if family.is_mysql else "",
    )


def require_galera(server: Server) -> None:
    """ServerError for a release that cannot be a Galera node here: what is missing, and the remedy."""
    missing = _missing_of_mysql(server) if server.family.is_mysql else _missing_of_mariadb(server)
    if missing:
        raise ServerError(f"{server.name} cannot be a node of the lab: {missing}")


def _missing_of_mariadb(server: Server) -> str:
    if server.installer is not None:
        return ""
    return (
        f"there is no mariadb-install-db (looked for {', '.join(_INSTALLERS)}). Unpack the whole server into the folder"
    )


def _missing_of_mysql(server: Server) -> str:
    if server.family is Family.MYSQL:
        return (
            f"{server.title} is MySQL without Galera, with no libgalera_smm.so in its folder. Name a folder that holds "
            f"{Family.PXC.product} or {Family.MYSQL_WSREP.product} in HAWSER_SERVERS"
        )
    if server.provider is None:
        return (
            f"{server.title} has no libgalera_smm.so (looked for {', '.join(PROVIDERS)}). Unpack the package of its "
            "Galera library into the same folder"
        )
    if not server.transfer:
        return (
            f"{server.title} has no complete state transfer: neither bin/wsrep_sst_clone nor "
            "bin/wsrep_sst_xtrabackup-v2 with xtrabackup. Unpack the whole server, or install Percona XtraBackup of "
            "its series"
        )
    if tuple(map(int, server.version().split("."))) < FIRST_MYSQL:
        return f"{server.title} is older than {'.'.join(map(str, FIRST_MYSQL))}. Take a later release"
    return ""


def _printed(daemon: Path) -> str:
    """What the program prints of itself; ServerError with the program's own words where it does not run."""
    try:
        done = subprocess.run([daemon, "--no-defaults", "--version"], check=False, capture_output=True, text=True)
    except OSError as error:
        raise ServerError(f"{daemon} does not run on this machine: {error}") from error
    if done.returncode != 0:
        message = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
        raise ServerError(
            f"{daemon} does not run on this machine: {message}. Install the library that it names, or take the build "
            "for this system"
        )
    return done.stdout


def _folder_options(base: Path) -> dict[str, str]:
    """Compiled-in paths lead to the host's files, which are another release's."""
    found = {"basedir": base}
    share = next((base / "share" / part for part in ("mariadb", "mysql", "") if _has_messages(base, part)), None)
    if share is not None:
        found |= {"lc_messages_dir": share, "character_sets_dir": share / "charsets"}
    plugins = [base / folder for folder in ("lib/mysql/plugin", "lib64/mysql/plugin", "lib/plugin", "lib64/plugin")]
    found["plugin_dir"] = next((folder for folder in plugins if folder.is_dir()), base)
    return {name: str(value) for name, value in found.items()}


def _has_messages(base: Path, part: str) -> bool:
    return (base / "share" / part / "english" / "errmsg.sys").exists()


def _first(root: Path, names: tuple[str, ...]) -> Path | None:
    return next((root / name for name in names if (root / name).exists()), None)
