"""Server variables that all nodes of a cluster must agree in, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class KnownVariable:
    """One variable; `is_dynamic` False: only a restart changes it."""

    name: str
    is_dynamic: bool
    why_equal: str


_ROWS: Final[tuple[tuple[str, bool, str], ...]] = (
    ("binlog_format", True, "The logs of the nodes would hold different things of the same write."),
    ("binlog_row_image", True, "The logs of the nodes would hold different columns of the same row."),
    ("character_set_server", True, "A table created without a character set would depend on the node."),
    ("collation_server", True, "A table created without a collation would depend on the node."),
    ("default_storage_engine", True, "A table created without an engine would depend on the node."),
    ("innodb_autoinc_lock_mode", False, "Appliers of a node without mode 2 may deadlock."),
    ("log_bin", False, "A channel could not be moved to each node."),
    ("log_slave_updates", False, "The log of a node would lack the writes of the others."),
    ("lower_case_table_names", False, "The nodes would not find the same table under a name."),
    ("max_allowed_packet", True, "A statement that one node accepts would be refused on another."),
    ("sql_mode", True, "The same statement would be accepted, or give other values, on some nodes only."),
    ("time_zone", True, "Statements that convert times would give other values on some nodes."),
    ("wsrep_auto_increment_control", True, "Numbers of two nodes could collide."),
    ("wsrep_certify_nonpk", True, "Writes on tables without a primary key would be certified on some nodes only."),
    ("wsrep_cluster_name", False, "A node with another name is not admitted after its restart."),
    ("wsrep_gtid_domain_id", True, "The same transaction would get GTIDs of different domains."),
    ("wsrep_gtid_mode", True, "The same transaction would get different GTIDs."),
    ("wsrep_max_ws_rows", True, "A transaction that one node accepts would be refused on another."),
    ("wsrep_max_ws_size", True, "A transaction that one node accepts would be refused on another."),
    ("wsrep_sst_method", True, "A node could not get a state transfer from each of the others."),
    ("wsrep_sync_wait", True, "Whether a read waits for the cluster would depend on the node."),
)
EQUAL_VARIABLES: Final[Mapping[str, KnownVariable]] = {row[0]: KnownVariable(*row) for row in _ROWS}
