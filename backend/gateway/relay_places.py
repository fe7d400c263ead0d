"""Reads in a replica's relay log which seqno of its source it has applied, in threads of its own.

A replica under load has applied more than the console has read of its source when that fails. Its relay log tells how
far, as in the proof of a position.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from backend.core.binlog.groups import UnknownEventError
from backend.core.binlog.logs import RelayLog
from backend.core.dialects import DialectError, dialect_of
from backend.core.known_groups import AppliedPlace
from backend.core.locate.evidence import SeqnoClue
from backend.core.locate.relay_log import seqno_from_relay
from backend.core.ports import NodeError
from backend.core.topology import ChannelFacts, NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.workers import Workers
from backend.gateway.reader import Reader

THREADS = 4
AGAIN_AFTER_S = 5.0
"""A relay log that could not be read is read again then."""
Place = tuple[str | None, int, str | None, int]


@dataclass(slots=True)
class _Read:
    """The latest reading of one channel; `place` None while it is being read, or where it told nothing."""

    at: Place
    asked_s: float
    place: AppliedPlace | None = None


class RelayReadings:
    """Of all nodes of the console. What was asked for is there at a later tick; nobody waits for it."""

    def __init__(self) -> None:
        self._workers = Workers("relay", THREADS)
        self._accesses: dict[str, NodeAccess] = {}
        self._readings: dict[tuple[str, str], _Read] = {}

    def set_nodes(self, accesses: Iterable[NodeAccess]) -> None:
        """Exactly these nodes can be asked."""
        self._accesses = {access.ref.id: access for access in accesses}
        self._readings = {key: one for key, one in self._readings.items() if key[0] in self._accesses}

    def at(self, replica: NodeFacts, channel: ChannelFacts) -> AppliedPlace | None:
        """The place at the channel's executed position; None while it is not known."""
        access, key = self._accesses.get(replica.node.id), (replica.node.id, channel.name)
        if access is None or not replica.is_up:
            return None
        at = channel.relay_file, channel.relay_offset, channel.exec_file, channel.exec_offset
        known = self._readings.get(key)
        if known is not None and known.at == at and (known.place or time.monotonic() - known.asked_s < AGAIN_AFTER_S):
            return known.place
        asked = self._readings[key] = _Read(at, time.monotonic())
        self._workers.submit(lambda: _read(asked, access, replica, channel))
        return None

    def close(self) -> None:
        """End the threads."""
        self._workers.close()


def _read(asked: _Read, access: NodeAccess, replica: NodeFacts, channel: ChannelFacts) -> None:
    reader = Reader(access.ref, access.monitor, read_s=access.answers_s)
    try:
        clue = seqno_from_relay(RelayLog(reader, dialect_of(replica), channel.name), channel, replica.node.name)
    except (NodeError, DialectError, UnknownEventError, KeyError, IndexError, ValueError):
        return
    finally:
        reader.close()
    if isinstance(clue, SeqnoClue):
        asked.place = AppliedPlace(clue.xid, clue.trailing)
