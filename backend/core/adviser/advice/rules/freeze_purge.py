"""A frozen store of write-sets: forgotten on Percona XtraDB Cluster, without effect elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import option_change
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.rules.texts import NOT_MEASURED, values
from backend.core.dialects.galera_configuration import can_freeze_purge

NAME = "gcache.freeze_purge_at_seqno"
OFF = "-1"
ACTIVE = AdviceEntry(
    code="freeze_purge_active",
    risk=Risk.MEDIUM,
    title="The store of write-sets is frozen",
    evidence=f"From the documentation of Percona. {NOT_MEASURED}",
    is_measured=False,
)
UNSUPPORTED = AdviceEntry(
    code="freeze_purge_unsupported",
    risk=Risk.LOW,
    title="gcache.freeze_purge_at_seqno is not for this server",
    evidence="Measured on MariaDB 10.11.19 with Galera 26.4.23: the option does not exist.",
    is_measured=True,
)


def _active(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = [n for n in cluster.read if can_freeze_purge(n.flavor) and n.options.get(NAME, OFF) != OFF]
    if not found:
        return
    shown = {node.name: node.options[NAME] for node in found}
    yield Advice(
        ACTIVE,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{NAME} is set ({values(shown)}).",
        consequence="These nodes purge no write-set from that number on, and their disks fill.",
        remedy="Run the statement once the node that it waits for has joined again.",
        facts={NAME: shown},
        changes=tuple(option_change(node, NAME, OFF) for node in found),
    )


def _unsupported(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = [n for n in cluster.read if can_freeze_purge(n.flavor) is False and NAME in n.options]
    if not found:
        return
    shown = {node.name: node.options[NAME] for node in found}
    yield Advice(
        UNSUPPORTED,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{NAME} is set ({values(shown)}), and the server is not Percona XtraDB Cluster.",
        consequence="No write-set is kept for a node that is away.",
        remedy=f"Remove {NAME} from wsrep_provider_options in the configuration files.",
        facts={NAME: shown},
    )


RULES = (ClusterRule(ACTIVE, _active), ClusterRule(UNSUPPORTED, _unsupported))
