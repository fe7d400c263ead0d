"""Settings with which a server that crashes may lose the end of its log or of its data."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import variable_change
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.rules.texts import NOT_MEASURED, values
from backend.core.server_settings.table import NEEDED

_SETTINGS = tuple(s for s in NEEDED if s.variable in ("sync_binlog", "innodb_flush_log_at_trx_commit"))
ENTRY = AdviceEntry(
    code="log_not_durable",
    risk=Risk.MEDIUM,
    title="A crash may lose acknowledged transactions",
    evidence=f"From the documentation of MariaDB and MySQL. The cost of both in throughput: {NOT_MEASURED.lower()}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    for setting in _SETTINGS:
        seen = ((node, node.variables.get(setting.variable)) for node in cluster.read)
        wrong = [(node, value) for node, value in seen if value is not None and not setting.needed.is_met(value)]
        if wrong:
            shown = {node.name: value for node, value in wrong}
            yield Advice(
                ENTRY,
                cluster.id,
                cluster.name,
                tuple(shown),
                fact=f"{setting.variable} is not {setting.needed.value} ({values(shown)}).",
                consequence=f"{setting.needed.why}.",
                remedy="Run the statement, and put the variable into the configuration file.",
                facts={setting.variable: shown},
                changes=tuple(variable_change(node, setting.variable, setting.needed.value) for node, _ in wrong),
            )


RULE = ClusterRule(ENTRY, _advise)
