"""All rules, and the advice they give: the highest risk first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from backend.core.adviser.advice.facts import ClusterConfiguration, LinkConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, LinkRule
from backend.core.adviser.advice.rules import (
    certificate_expires,
    failure_timeouts,
    freeze_purge,
    gcache_small,
    log_not_durable,
    multicast_prevents_join,
    option_values_differ,
    packet_size_ineffective,
    segments_missing,
    send_window_large,
    send_window_small,
    single_applier,
    variable_values_differ,
    write_set_limit_smaller,
)

CLUSTER_RULES: Final[tuple[ClusterRule, ...]] = (
    certificate_expires.RULE,
    multicast_prevents_join.RULE,
    failure_timeouts.RULE,
    option_values_differ.RULE,
    variable_values_differ.RULE,
    log_not_durable.RULE,
    gcache_small.RULE,
    send_window_small.RULE,
    send_window_large.RULE,
    segments_missing.RULE,
    *freeze_purge.RULES,
    packet_size_ineffective.RULE,
    single_applier.RULE,
)
LINK_RULES: Final[tuple[LinkRule, ...]] = (write_set_limit_smaller.RULE,)
SUBJECTS: Final[Mapping[str, tuple[AdviceEntry, ...]]] = {
    "Clusters": tuple(rule.entry for rule in CLUSTER_RULES),
    "Links": tuple(rule.entry for rule in LINK_RULES),
}
_ENTRIES: Final = {entry.code: entry for entries in SUBJECTS.values() for entry in entries}


def entry_of(code: str) -> AdviceEntry:
    """What the catalogue says of a code; KeyError where no rule has it."""
    return _ENTRIES[code]


def cluster_advice(cluster: ClusterConfiguration) -> list[Advice]:
    """Advice on one cluster."""
    return _ranked(advice for rule in CLUSTER_RULES for advice in rule.advise(cluster))


def link_advice(link: LinkConfiguration) -> list[Advice]:
    """Advice on a link and on both of its clusters."""
    return _ranked([*own_link_advice(link), *cluster_advice(link.active), *cluster_advice(link.standby)])


def own_link_advice(link: LinkConfiguration) -> list[Advice]:
    """Advice on a link alone."""
    return _ranked(advice for rule in LINK_RULES for advice in rule.advise(link))


def _ranked(advice: Iterable[Advice]) -> list[Advice]:
    """By risk; of equal risk in the order of the rules."""
    return sorted(advice, key=lambda one: one.entry.risk.rank)
