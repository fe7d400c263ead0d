"""MariaDB with Galera: SHOW ALL SLAVES STATUS and its relatives in, CHANGE MASTER and its relatives out."""

from __future__ import annotations

from backend.core.dialects.mariadb.evidence import MariadbEvidence
from backend.core.dialects.mariadb.facts import MariadbFacts
from backend.core.dialects.mariadb.fence import MariadbFence
from backend.core.dialects.mariadb.names import MOVABLE_OPTIONS
from backend.core.dialects.mariadb.statements import MariadbStatements


class MariadbDialect(MariadbFacts, MariadbEvidence, MariadbStatements, MariadbFence):
    """Implements `Dialect`."""

    flavor = "mariadb"
    carried = frozenset(MOVABLE_OPTIONS)
