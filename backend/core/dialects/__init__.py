"""Server families and eras: a server's own version and version comment decide its dialect."""

from __future__ import annotations

import re

from backend.core.dialects.base import Dialect, DialectError
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.dialects.tested_versions import BEYOND, FIRST

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def detect_flavor(version: str, version_comment: str = "") -> str:
    """`mariadb`, `pxc` or `mysql` from `@@version` and `@@version_comment`."""
    if "mariadb" in version.lower() or "mariadb" in version_comment.lower():
        return "mariadb"
    return "pxc" if "percona xtradb cluster" in version_comment.lower() else "mysql"


def dialect_for(flavor: str | None, version: str | None) -> Dialect:
    """The dialect of a server; DialectError names the server where there is none.

    MariaDB 10.5 brought the status names and privileges used here; 12.3 may keep the binlog
    inside InnoDB, where files and offsets no longer exist.
    """
    match = _VERSION.match(version or "")
    if flavor is None or match is None:
        raise DialectError("the server's family and version are unknown")
    era = int(match[1]), int(match[2])
    if flavor == "mariadb" and FIRST <= era < BEYOND:
        return MariadbDialect()
    raise DialectError(f"{flavor} {match[0]} is not supported")


__all__ = ["Dialect", "DialectError", "detect_flavor", "dialect_for"]
