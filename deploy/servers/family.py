"""Which family a server belongs to, by what its program says of itself, and which parts of Galera its tree holds."""

from __future__ import annotations

import re
import shutil
from enum import StrEnum
from pathlib import Path

from deploy.servers.errors import ServerError

_AFTER_NAME = re.compile(r"\bVer (?P<said>\d.*)")


class Family(StrEnum):
    """Server families, by the names that the console gives them too."""

    MARIADB = "mariadb"
    MYSQL = "mysql"
    PXC = "pxc"
    MYSQL_WSREP = "mysql-wsrep"

    @property
    def product(self) -> str:
        """The name of the product."""
        return _TITLES[self]

    @property
    def is_mysql(self) -> bool:
        """Whether it has MySQL's options and statements."""
        return self is not Family.MARIADB


_TITLES = {
    Family.MARIADB: "MariaDB",
    Family.MYSQL: "MySQL",
    Family.PXC: "Percona XtraDB Cluster",
    Family.MYSQL_WSREP: "Galera Cluster for MySQL",
}
PROVIDERS = tuple(
    f"{folder}/libgalera_smm.so"
    for base in ("usr/", "")
    for folder in (
        f"{base}lib/galera", f"{base}lib/galera4", f"{base}lib/galera-4", f"{base}lib",
        f"{base}lib64/galera", f"{base}lib64/galera4", f"{base}lib64/galera-4", f"{base}lib64",
    )
)  # fmt: skip
"""Where packages and archives of the families keep the Galera library."""
CLONE, XTRABACKUP = "clone", "xtrabackup-v2"


def family_of(printed: str, provider: Path | None) -> Family:
    """The family by the output of `mysqld --version`. The path in front of `Ver` says nothing."""
    found = _AFTER_NAME.search(printed)
    if found is None:
        raise ServerError(f"the program does not state its version: {printed.strip()}")
    message = found["said"].lower()
    if "mariadb" in message:
        return Family.MARIADB
    if "percona xtradb cluster" in message:
        return Family.PXC
    return Family.MYSQL_WSREP if "wsrep" in message or provider is not None else Family.MYSQL


def transfer_method(base: Path) -> str:
    """How a node of MySQL's families is copied whole, by the programs below `base`; empty where none is complete.

    Cloning needs nothing but the server (8.0.41, 8.4.4 and later); xtrabackup-v2 needs Percona XtraBackup, which
    Percona XtraDB Cluster brings in a folder of its own.
    """
    if (base / "bin" / "wsrep_sst_clone").exists():
        return CLONE
    if (base / "bin" / "wsrep_sst_xtrabackup-v2").exists() and _has_xtrabackup(base):
        return XTRABACKUP
    return ""


def _has_xtrabackup(base: Path) -> bool:
    brought = [*base.glob("bin/pxc_extra/pxb-*/bin/xtrabackup"), *base.glob("bin/xtrabackup")]
    return bool(brought) or shutil.which("xtrabackup") is not None
