"""Options that do nothing, or harm, on the running version."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.advice.options.known import KNOWN, OF_NODE
from backend.core.adviser.advice.options.values import switch
from backend.core.adviser.advice.rules import freeze_purge, multicast_prevents_join, packet_size_ineffective
from backend.core.dialects.galera_configuration import can_freeze_purge


class NoteKind(StrEnum):
    """What is wrong with an option on this version."""

    NONE = ""
    INEFFECTIVE = "ineffective"
    REMOVED = "removed"
    UNSUPPORTED = "unsupported"
    HARMFUL = "harmful"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of an option; `wanted` is the value that takes it out of use, None where nothing is to be done."""

    kind: NoteKind = NoteKind.NONE
    text: str = ""
    wanted: str | None = None


def note_on(node: NodeConfiguration, name: str) -> Note:
    """The note on one node's option."""
    value = node.options.get(name)
    if value is None:
        return Note()
    if name == "gcs.max_packet_size" and packet_size_ineffective.is_ineffective(node):
        text = f"Galera 4 sends at most {packet_size_ineffective.CEILING:,} bytes, so a larger size changes nothing."
        return Note(NoteKind.INEFFECTIVE, text, KNOWN[name].default)
    if name == "gmcast.mcast_addr" and multicast_prevents_join.is_harmful(node):
        return Note(NoteKind.HARMFUL, "With Galera 26.4 no second node joins by multicast.", "")
    if name == freeze_purge.NAME and can_freeze_purge(node.flavor) is False:
        return Note(NoteKind.UNSUPPORTED, "Only Percona XtraDB Cluster has this option.")
    if name == "gcs.fc_master_slave" and switch(value):
        return Note(NoteKind.REMOVED, "Its name is gcs.fc_single_primary now.")
    if name not in KNOWN and name not in OF_NODE and name != freeze_purge.NAME:
        return Note(NoteKind.UNKNOWN, "Hawser does not know this option and does not judge it.")
    return Note()
