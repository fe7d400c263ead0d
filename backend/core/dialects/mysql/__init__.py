"""MySQL 8.0.23 and later, and what is built from it: SHOW REPLICA STATUS in, CHANGE REPLICATION SOURCE out."""

from __future__ import annotations

from dataclasses import replace

from backend.core.dialects.base import EventForms, Series
from backend.core.dialects.mysql.evidence import EVENTS, MysqlEvidence
from backend.core.dialects.mysql.facts import MysqlFacts
from backend.core.dialects.mysql.fence import MysqlFence
from backend.core.dialects.mysql.names import CARRIED
from backend.core.dialects.mysql.statements import MysqlStatements


class MysqlDialect(MysqlFacts, MysqlEvidence, MysqlStatements, MysqlFence):
    """Implements `Dialect`; `pxc` and `mysql-wsrep` have the wsrep patch, whose Xid is Galera's number."""

    carried = CARRIED

    def __init__(self, series: Series, flavor: str = "mysql") -> None:
        self.series = series
        self.flavor = flavor

    @property
    def events(self) -> EventForms:
        """The names of events."""
        return replace(EVENTS, is_xid_of_cluster=self.flavor != "mysql")
