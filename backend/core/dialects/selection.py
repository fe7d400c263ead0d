"""A server's own version and version comment decide its family and dialect."""

from __future__ import annotations

import re

from backend.core.dialects.base import Dialect, DialectError, SessionForms
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.dialects.mariadb.grants import NEEDS as MARIADB_NEEDS
from backend.core.dialects.mariadb.names import VARIABLES as MARIADB_VARIABLES
from backend.core.dialects.mariadb.sessions import SESSIONS as MARIADB_SESSIONS
from backend.core.dialects.mysql import MysqlDialect
from backend.core.dialects.mysql.grants import NEEDS as MYSQL_NEEDS
from backend.core.dialects.mysql.names import VARIABLES as MYSQL_VARIABLES
from backend.core.dialects.mysql.sessions import SESSIONS as MYSQL_SESSIONS
from backend.core.dialects.needs import Need
from backend.core.dialects.rows import names_of
from backend.core.dialects.tested_versions import FAMILIES, series_of

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
VARIABLES_QUERY = f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names_of(MARIADB_VARIABLES + MYSQL_VARIABLES)})"
"""The settings that checks read, under the names of every family: it tells which one the server is, too."""


def detect_flavor(version: str, version_comment: str = "") -> str:
    """`mariadb`, `pxc` or `mysql` from `@@version` and `@@version_comment`."""
    if "mariadb" in version.lower() or "mariadb" in version_comment.lower():
        return "mariadb"
    return "pxc" if "percona xtradb cluster" in version_comment.lower() else "mysql"


def needs_of(flavor: str | None) -> tuple[Need, ...]:
    """The grants that the console's accounts need on a server of this family; MariaDB's where it is unknown."""
    return MYSQL_NEEDS if flavor in ("mysql", "pxc") else MARIADB_NEEDS


def sessions_of(server_version: str) -> SessionForms:
    """How sessions of a server begin, by the version in its greeting."""
    return MARIADB_SESSIONS if detect_flavor(server_version) == "mariadb" else MYSQL_SESSIONS


def dialect_for(flavor: str | None, version: str | None) -> Dialect:
    """The dialect in which a server may be changed; DialectError names a server where there is none, and why."""
    dialect = dialect_to_watch(flavor, version)
    refusal = plan_refusal(flavor, version)
    if refusal is not None:
        raise DialectError(refusal)
    return dialect


def dialect_to_watch(flavor: str | None, version: str | None) -> Dialect:
    """The dialect in which a server is read; DialectError where nothing of it can be understood."""
    if flavor is None or _VERSION.match(version or "") is None:
        raise DialectError("the server's family and version are unknown")
    series = series_of(str(version))
    family = FAMILIES.get(flavor)
    if family is None or series < family.first:
        raise DialectError(f"{flavor} {version} is not supported")
    return MariadbDialect() if flavor == "mariadb" else MysqlDialect(series, flavor)


def plan_refusal(flavor: str | None, version: str | None) -> str | None:
    """Why no plan is made with a server that can be watched; None where plans are made, or nothing is known of it."""
    family = FAMILIES.get(flavor or "")
    if family is None or _VERSION.match(version or "") is None:
        return None
    return family.refusal(series_of(str(version)), str(version))
