"""The gcache of a possible donor: how many write-sets it holds, and for how long at a rate."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.core.adviser.node_absence.rates import Rate
from backend.core.estimates import FieldError, Unknown, in_range
from backend.core.topology import NodeFacts

HEADER_BYTES = 24
"""What the gcache adds to a write-set. Measured on Galera 26.4.23: 1,296-byte sets, forecast 12,710, held 12,709."""
FULL_AT = 0.95
"""From this part of its forecast on a gcache counts as full: then what it holds is its capacity."""
LEAST_MARGIN = 10
"""Write-sets kept back: a join and a leave take a seqno each."""
_SIZE = re.compile(r"(\d+)\s*([KMGT]?)", re.IGNORECASE)
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


@dataclass(frozen=True, slots=True)
class Cache:
    """A donor's gcache: `size_bytes` as set, `downto` its oldest write-set, `committed` the node's newest one."""

    size_bytes: int | Unknown
    downto: int | Unknown
    committed: int | Unknown

    @property
    def held(self) -> int | Unknown:
        """Write-sets in it now. Source: `wsrep_last_committed` - `wsrep_local_cached_downto` + 1."""
        if isinstance(self.downto, Unknown):
            return self.downto
        if isinstance(self.committed, Unknown):
            return self.committed
        return max(0, self.committed - self.downto + 1)


def size_of(text: str | None) -> int | Unknown:
    """`gcache.size` in bytes; K, M, G and T are powers of 1,024."""
    found = _SIZE.fullmatch((text or "").strip())
    if found is None or not int(found[1]):
        return Unknown("gcache.size was not read from wsrep_provider_options of the node.")
    return int(found[1]) * _UNITS[found[2].upper()]


def cache_of(node: NodeFacts) -> Cache:
    """As one poll read it."""
    wsrep = node.wsrep
    unread = Unknown(f"{node.node.name} was not read.")
    if not node.is_up or wsrep is None:
        return Cache(unread, unread, unread)
    no_set = Unknown(f"{node.node.name} does not report wsrep_local_cached_downto.")
    return Cache(size_of(node.variable("gcache.size")), wsrep.cached_downto or no_set, wsrep.last_committed)


def capacity(size_bytes: float, average_bytes: float) -> int:
    """Write-sets that a gcache of this size holds once it is full: size / (bytes + 24).

    Measured (16 MiB, 1 KiB rows and random rows of 0 to 8 KiB): error 0.0 to 0.3 % once the gcache is full. Not
    tried: write-sets larger than the gcache, which go to pages; an encrypted gcache.
    """
    in_range("size_bytes", size_bytes, 1, 2**60, "bytes")
    in_range("average_bytes", average_bytes, 1, 2**40, "bytes")
    return int(size_bytes / (average_bytes + HEADER_BYTES))


def is_full(cache: Cache, rate: Rate | Unknown) -> bool | Unknown:
    """Whether its oldest write-sets are being dropped: until then `downto` tells nothing of its capacity."""
    if isinstance(cache.held, Unknown):
        return cache.held
    forecast = capacity_at(cache, rate)
    return forecast if isinstance(forecast, Unknown) else cache.held >= FULL_AT * forecast


def capacity_at(cache: Cache, rate: Rate | Unknown) -> int | Unknown:
    """The capacity with the write-sets of a rate's time."""
    if isinstance(cache.size_bytes, Unknown):
        return cache.size_bytes
    if isinstance(rate, Unknown):
        return rate
    if rate.average_bytes is None:
        return Unknown("Nothing was written in this time, so the size of a write-set is unknown.")
    try:
        return capacity(cache.size_bytes, rate.average_bytes)
    except FieldError as error:
        return Unknown(f"The counters make no sense: {error}")


def safety_margin(committed: int, lowest_downto: int) -> int:
    """Write-sets to keep back, so that the provider itself asks for an IST.

    Source (`gcs_group.cpp`): below 1/128 of the longest cached range, at most 2^20, the donor is chosen as for an SST,
    whatever each one holds. Such a donor still tries an IST (observed at a margin of 6 of 12,706).
    """
    return max(LEAST_MARGIN, min(max(0, committed - lowest_downto) >> 7, 2**20))
