"""The freeze of a donor's gcache: from one seqno on it drops nothing, so that an absent node returns by IST.

Percona XtraDB Cluster's provider has the option, MariaDB's has not: the server's own option string decides. Its effect
was not tried on a real server.
"""

from __future__ import annotations

from backend.core.adviser.node_absence.cache import cache_of, safety_margin
from backend.core.dialects.galera_configuration import set_provider_option
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts

OPTION = "gcache.freeze_purge_at_seqno"
NOT_FROZEN = "-1"


def can_freeze(donor: NodeFacts) -> bool | Unknown:
    """Whether the server itself lists the option; unknown where none of its provider's options were read."""
    if donor.variable(OPTION) is not None:
        return True
    if not donor.is_up or donor.variable("gcache.size") is None:
        return Unknown(f"wsrep_provider_options of {donor.node.name} was not read.")
    return False


def freeze_from(donor: NodeFacts, last_seqno: int) -> int | Unknown:
    """The seqno to freeze at: that of the leaving node, less the margin; never one that is no longer cached."""
    cache = cache_of(donor)
    if isinstance(cache.downto, Unknown):
        return cache.downto
    return max(cache.downto, last_seqno - safety_margin(last_seqno, cache.downto))


def freeze_sql(seqno: int) -> str:
    """The statement that freezes the purge."""
    return set_provider_option(OPTION, str(seqno), has_plugin=False).rstrip(";")


def unfreeze_sql() -> str:
    """The statement that ends it."""
    return set_provider_option(OPTION, NOT_FROZEN, has_plugin=False).rstrip(";")
