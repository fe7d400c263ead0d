"""What an error of a channel means: told by its number and its text together, since one number has many causes.

1236 alone says only that the source could not send: the position is gone, lies beyond the log's end or inside an event,
the log is damaged, another replica has the same id. Each has a way out of its own. An error that is not listed here is
unknown: nothing counts as mended by it, and nothing is offered because of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from backend.core.server_settings.applying import MOST_PACKET
from backend.core.topology import PASSING_ERRORS, ChannelFacts, NodeFacts


class FaultKind(StrEnum):
    """What went wrong, as far as number and text show."""

    POSITION_PURGED = "position_purged"
    POSITION_BEYOND_END = "position_beyond_end"
    POSITION_INSIDE_EVENT = "position_inside_event"
    GTID_STATE = "gtid_state"
    LOG_DAMAGED = "log_damaged"
    LOG_OFF = "log_off"
    PACKET_OF_REPLICA = "packet_of_replica"
    PACKET_OF_SOURCE = "packet_of_source"
    SAME_SERVER_ID = "same_server_id"
    ID_IN_USE = "id_in_use"
    RELAY_LOG_NOT_WRITTEN = "relay_log_not_written"
    RELAY_LOG_NOT_READ = "relay_log_not_read"
    OUT_OF_MEMORY = "out_of_memory"
    LOGIN = "login"
    PRIVILEGE = "privilege"
    TLS = "tls"
    UNREACHABLE = "unreachable"
    TRANSACTION = "transaction"
    PASSING = "passing"
    UNKNOWN = "unknown"


class FaultPlace(StrEnum):
    """Where the cause lies: what a channel has to leave, or what has to be mended."""

    POSITION = "position"
    """The place that the channel asks for: another source, or another proven place."""
    SOURCE = "source"
    REPLICA = "replica"
    PATH = "path"
    """Between the two: account, network, TLS."""
    DATA = "data"
    """The transaction itself, which fails on any node."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of a channel, judged. `can_pass`: the cause may be over without anyone having mended it."""

    kind: FaultKind
    place: FaultPlace
    errno: int
    text: str
    can_pass: bool
    phrase: str
    """What is wrong, for a sentence that begins with the channel: `the source no longer has its position`."""


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: FaultKind
    place: FaultPlace
    phrase: str
    numbers: frozenset[int]
    text: re.Pattern[str] | None = None
    can_pass: bool = False

    def fits(self, errno: int, text: str) -> bool:
        return errno in self.numbers and (self.text is None or self.text.search(text) is not None)


def _rule(
    kind: FaultKind, place: FaultPlace, phrase: str, *numbers: int, text: str | None = None, can_pass: bool = False
) -> _Rule:
    pattern = None if text is None else re.compile(text, re.IGNORECASE)
    return _Rule(kind, place, phrase, frozenset(numbers), pattern, can_pass)


ERRORS_OF_SENDING = (1236, 13114)
"""ER_MASTER_FATAL_ERROR_READING_BINLOG, and its number in MySQL since 8.0, where only the text still has 1236."""
_RELAY_WRITE, _RELAY_READ = (1595, 13122), (1594, 13121)
_PACKET = (1153, 13125, 2020)
_FATAL = (1593, 13117)
_COMMAND = (1597, 13120)
_LOGIN = (1044, 1045, 1130, 1698, 2059)

_LIMIT = re.compile(r"\b\w*max_allowed_packet\b")
PACKET_KINDS = frozenset({FaultKind.PACKET_OF_REPLICA, FaultKind.PACKET_OF_SOURCE})
ATTESTED_KINDS = PACKET_KINDS | {
    FaultKind.UNKNOWN,
    FaultKind.RELAY_LOG_NOT_WRITTEN,
    FaultKind.ID_IN_USE,
    FaultKind.LOG_DAMAGED,
}
"""No variable shows for certain that these are mended, so a person may attest it."""
_MISREAD = frozenset({FaultKind.PACKET_OF_SOURCE, FaultKind.LOG_DAMAGED})
_UNKNOWN = _rule(FaultKind.UNKNOWN, FaultPlace.UNKNOWN, "the cause of this error is not known")
_OF_TRANSACTION = _rule(FaultKind.TRANSACTION, FaultPlace.DATA, "a transaction fails")

_READING = (
    _rule(
        FaultKind.ID_IN_USE,
        FaultPlace.REPLICA,
        "another replica with the same server_id is connected to its source",
        *ERRORS_OF_SENDING,
        text=r"same server_uuid/server_id",
    ),
    _rule(
        FaultKind.PACKET_OF_SOURCE,
        FaultPlace.SOURCE,
        "an event is larger than max_allowed_packet of its source",
        *ERRORS_OF_SENDING,
        text=r"exceeded max_allowed_packet",
    ),
    _rule(
        FaultKind.POSITION_PURGED,
        FaultPlace.POSITION,
        "its source no longer has its position",
        *ERRORS_OF_SENDING,
        text=r"could not find (first log file|next log)|purged required binary logs|could not open log file",
    ),
    _rule(
        FaultKind.GTID_STATE,
        FaultPlace.POSITION,
        "its source cannot serve the GTIDs that it asks for",
        *ERRORS_OF_SENDING,
        text=r"GTID",
    ),
    _rule(
        FaultKind.POSITION_BEYOND_END,
        FaultPlace.POSITION,
        "its position lies beyond the end of its source's log",
        *ERRORS_OF_SENDING,
        text=r"impossible position|position > file size",
    ),
    _rule(
        FaultKind.POSITION_INSIDE_EVENT,
        FaultPlace.POSITION,
        "its position is not the beginning of an event in its source's log",
        *ERRORS_OF_SENDING,
        text=r"bogus data in log event",
    ),
    _rule(
        FaultKind.LOG_DAMAGED,
        FaultPlace.SOURCE,
        "its source cannot read its own binary log",
        *ERRORS_OF_SENDING,
        text=(
            r"truncated in the middle of event|did not pass (crc|checksum)|I/O error reading|bad magic number|"
            r"decrypt|corrupt"
        ),
    ),
    _rule(
        FaultKind.LOG_OFF,
        FaultPlace.SOURCE,
        "its source writes no binary log",
        *ERRORS_OF_SENDING,
        text=r"binary log is not open",
    ),
    _rule(
        FaultKind.OUT_OF_MEMORY,
        FaultPlace.SOURCE,
        "its source had no memory to read its log",
        *ERRORS_OF_SENDING,
        text=r"memory allocation failed|out.of.memory",
        can_pass=True,
    ),
    _rule(
        FaultKind.PACKET_OF_REPLICA,
        FaultPlace.REPLICA,
        "an event is larger than what its replica accepts",
        *_PACKET,
    ),
    _rule(
        FaultKind.SAME_SERVER_ID,
        FaultPlace.REPLICA,
        "its source and its replica have the same server id",
        *_FATAL,
        text=r"equal (MariaDB|MySQL) server (ids|uuids)",
    ),
    _rule(
        FaultKind.RELAY_LOG_NOT_WRITTEN,
        FaultPlace.UNKNOWN,
        "what its source sent could not be written to the relay log",
        *_RELAY_WRITE,
    ),
    _rule(FaultKind.LOGIN, FaultPlace.PATH, "its source refuses the login", *_LOGIN, can_pass=True),
    _rule(
        FaultKind.PRIVILEGE,
        FaultPlace.PATH,
        "its account may not replicate",
        *_COMMAND,
        text=r"access denied",
        can_pass=True,
    ),
    _rule(FaultKind.PRIVILEGE, FaultPlace.PATH, "its account may not replicate", 1142, 1227, can_pass=True),
    _rule(FaultKind.TLS, FaultPlace.PATH, "no TLS connection to its source is made", 2026, can_pass=True),
    _rule(
        FaultKind.UNREACHABLE,
        FaultPlace.PATH,
        "its source cannot be reached",
        2002,
        2003,
        2005,
        2006,
        2013,
        1040,
        1053,
        1158,
        1159,
        1160,
        1161,
        1203,
        can_pass=True,
    ),
)
_APPLYING = (
    _rule(FaultKind.PASSING, FaultPlace.REPLICA, "it was interrupted", *(PASSING_ERRORS - {0}), can_pass=True),
    _rule(
        FaultKind.RELAY_LOG_NOT_READ,
        FaultPlace.REPLICA,
        "its relay log cannot be read",
        *_RELAY_READ,
    ),
)


def reading_fault(channel: ChannelFacts, *, is_of_another_log: bool = False) -> Fault | None:
    """Why the channel does not read, None where it reads or tells no error.

    `is_of_another_log`: its place is one of a log that its source does not have any more. What stands there now is
    taken for the header of an event, with whatever length and checksum (measured: "exceeded max_allowed_packet").
    """
    if channel.io_running == "Yes" or not channel.io_errno:
        return None
    fault = _judged(_READING, channel.io_errno, channel.io_error, _UNKNOWN)
    if is_of_another_log and fault.kind in _MISREAD:
        rule = next(one for one in _READING if one.kind is FaultKind.POSITION_INSIDE_EVENT)
        return replace(fault, kind=rule.kind, place=rule.place, phrase=rule.phrase)
    return fault


def applying_fault(channel: ChannelFacts) -> Fault | None:
    """Why the channel does not apply, None where it tells no error. What is not listed is the transaction's own."""
    if not channel.sql_errno:
        return None
    return _judged(_APPLYING, channel.sql_errno, channel.sql_error, _OF_TRANSACTION)


def _judged(rules: tuple[_Rule, ...], errno: int, text: str, otherwise: _Rule) -> Fault:
    rule = next((one for one in rules if one.fits(errno, text)), otherwise)
    return Fault(rule.kind, rule.place, errno, text, rule.can_pass, rule.phrase)


def packet_limit(fault: Fault, source: NodeFacts, replica: NodeFacts) -> tuple[NodeFacts, str, int | None]:
    """Of a fault of the packet kinds: the node and the variable that limit an event, and its value if it is known."""
    of_source = fault.kind is FaultKind.PACKET_OF_SOURCE
    node = source if of_source else replica
    value = node.variable("max_allowed_packet" if of_source else "slave_max_allowed_packet")
    named = _LIMIT.search(fault.text)
    name = named.group(0) if named else "max_allowed_packet" if of_source else "slave_max_allowed_packet"
    return node, name, int(value) if value is not None and value.isdigit() else None


def stops_again(
    fault: Fault, before: tuple[str, str], source: NodeFacts, replica: NodeFacts, *, has_new_position: bool
) -> bool | None:
    """Whether a channel from `source` to `replica` would stop on this fault of reading again; None if unknown.

    `before`: ids of the source and the replica that it stopped on. `has_new_position`: it begins at a position that was
    proven to be in the new source's log.
    """
    if fault.can_pass:
        return False
    if fault.kind in PACKET_KINDS:
        limit = packet_limit(fault, source, replica)[2]
        return None if limit is None else limit < MOST_PACKET
    if fault.kind is FaultKind.SAME_SERVER_ID:
        known = source.server_id is not None and replica.server_id is not None
        return source.server_id == replica.server_id if known else None
    keeps_source, keeps_replica = source.node.id == before[0], replica.node.id == before[1]
    if fault.place is FaultPlace.UNKNOWN:
        return None if keeps_source or keeps_replica else False
    if fault.place is FaultPlace.REPLICA:
        return keeps_replica
    return keeps_source and not (fault.place is FaultPlace.POSITION and has_new_position)
