"""A server's own version and version comment decide its family and dialect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

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
from backend.core.dialects.tested_versions import FAMILIES, Family, Release, series_of, shown
from backend.core.topology import AcceptedServer, NodeFacts

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
VARIABLES_QUERY = f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names_of(MARIADB_VARIABLES + MYSQL_VARIABLES)})"
"""The settings that checks read, under the names of every family: it tells which one the server is, too."""


def detect_flavor(version: str, version_comment: str = "", *, has_wsrep: bool = False) -> str:
    """A name of `FAMILIES` from `@@version`, `@@version_comment` and whether the server has settings of wsrep."""
    if "mariadb" in version.lower() or "mariadb" in version_comment.lower():
        return "mariadb"
    if "percona xtradb cluster" in version_comment.lower():
        return "pxc"
    return "mysql-wsrep" if has_wsrep else "mysql"


def flavor_of(variables: Mapping[str, str]) -> str:
    """The family of a server by its settings, under their own names in lower case."""
    has_wsrep = "wsrep_on" in variables
    return detect_flavor(variables.get("version", ""), variables.get("version_comment", ""), has_wsrep=has_wsrep)


def needs_of(flavor: str | None) -> tuple[Need, ...]:
    """The grants that the console's accounts need on a server of this family; MariaDB's where it is unknown."""
    return MYSQL_NEEDS if flavor in ("mysql", "pxc", "mysql-wsrep") else MARIADB_NEEDS


def sessions_of(server_version: str) -> SessionForms:
    """How sessions of a server begin, by the version in its greeting."""
    return MARIADB_SESSIONS if detect_flavor(server_version) == "mariadb" else MYSQL_SESSIONS


def read_only_settings(read_s: float) -> str:
    """What makes a session read only and ends its statements after so long, for either family: a greeting may lie.

    MariaDB alone runs what is in `/*M!`, and nothing of `/*!` with a number from 50700 to 99999, which MySQL runs.
    """
    limits = {"seconds": read_s, "milliseconds": max(1, round(read_s * 1000))}
    own = MARIADB_SESSIONS.read_only.format(**limits), MYSQL_SESSIONS.read_only.format(**limits)
    return f"/*M! , {own[0]} *//*!50720 , {own[1]} */"


def dialect_for(flavor: str | None, version: str | None, accepted: AcceptedServer | None = None) -> Dialect:
    """The dialect in which a server may be changed; DialectError names a server where there is none, and why."""
    return _unless(plan_refusal(flavor, version, accepted), dialect_to_watch(flavor, version))


def dialect_of(node: NodeFacts) -> Dialect:
    """The dialect in which a node may be changed as it is now; DialectError as `dialect_for`."""
    return _unless(node_refusal(node), dialect_to_watch(node.flavor, node.version))


def _unless(refusal: str | None, dialect: Dialect) -> Dialect:
    if refusal is not None:
        raise DialectError(refusal)
    return dialect


@lru_cache(maxsize=256)
def dialect_to_watch(flavor: str | None, version: str | None) -> Dialect:
    """The dialect in which a server is read; DialectError where nothing of it can be understood."""
    if flavor is None or _VERSION.match(version or "") is None:
        raise DialectError("the server's family and version are unknown")
    series = series_of(str(version))
    family = FAMILIES.get(flavor)
    if family is None or series < family.first:
        raise DialectError(f"{flavor} {version} is not supported")
    return MariadbDialect() if flavor == "mariadb" else MysqlDialect(series, flavor)


def are_rows_alike(flavor: str | None, version: str | None) -> bool:
    """Whether rows of such servers were shown to be comparable; False where nothing of the server can be understood."""
    try:
        return dialect_to_watch(flavor, version).events.are_rows_alike
    except DialectError:
        return False


def plan_refusal(flavor: str | None, version: str | None, accepted: AcceptedServer | None = None) -> str | None:
    """Why no plan is made with a server that can be watched; None where plans are made, or nothing is known of it.

    An acceptance counts for exactly its own family and series.
    """
    family, release = _known(flavor, version)
    if family is None or release is None:
        return None
    if accepted is not None and accepted_series(flavor, version) == accepted.series and flavor == accepted.flavor:
        return None
    refusal = family.refusal(release[:2], str(version))
    if refusal is None or accepted is None:
        return refusal
    return f"{refusal}. What is accepted is {FAMILIES[accepted.flavor].name} {accepted.series}, which does not cover it"


def accepted_series(flavor: str | None, version: str | None) -> str | None:
    """The series that an acceptance of plans with this server would name; None where none can be accepted."""
    family, release = _known(flavor, version)
    if family is None or release is None or not family.may_be_accepted(release):
        return None
    return shown(release[:2])


def node_refusal(node: NodeFacts) -> str | None:
    """Why no plan is made with a node. An accepted one must run with Galera: else its log has no cluster's numbers."""
    refusal = plan_refusal(node.flavor, node.version, node.node.accepted)
    if refusal is None and needs_acceptance(node) and node.wsrep is None:
        return f"{node.node.name} runs without Galera: its binary log does not number the transactions of a cluster"
    return refusal


def needs_acceptance(node: NodeFacts) -> bool:
    """Whether plans with this node are made only because an administrator accepted its family and series."""
    return accepted_series(node.flavor, node.version) is not None


@lru_cache(maxsize=256)
def _known(flavor: str | None, version: str | None) -> tuple[Family | None, Release | None]:
    found = _VERSION.match(version or "")
    release = None if found is None else (int(found[1]), int(found[2]), int(found[3]))
    return FAMILIES.get(flavor or ""), release
