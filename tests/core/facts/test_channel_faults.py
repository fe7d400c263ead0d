"""What an error of a channel means. The texts are those of real servers: MariaDB 10.11.19, MySQL 9.7.4."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.facts.channel_faults import (
    FaultKind,
    applying_fault,
    packet_limit,
    reading_fault,
    stops_again,
)
from backend.core.server_settings.applying import MOST_PACKET
from backend.core.topology import ChannelFacts, NodeFacts, NodeRef, Reach

FATAL = "Got fatal error 1236 from master when reading data from binary log: "
BEYOND = (
    f"{FATAL}'Client requested master to start replication from impossible position; the first event 'bin.000001' at "
    "100608, the last event read from 'bin.000001' at 4, the last byte read from 'bin.000001' at 4.'"
)
BOGUS = (
    f"{FATAL}'bogus data in log event; the first event 'bin.000001' at 621, the last event read from 'bin.000001' at "
    "621, the last byte read from 'bin.000001' at 640.'"
)
GTID = f"{FATAL}'Error: connecting slave requested to start from GTID 0-11-999999, which is not in the master's binlog'"
OLD_GTID = (
    f"{FATAL}'Could not find GTID state requested by slave in any binlog files. Probably the slave state is too old "
    "and required binlog files have been purged.'"
)
CRC = (
    f"{FATAL}'event read from binlog did not pass crc check; the first event 'bin.000003' at 3000956, the last event "
    "read from 'bin.000003' at 3000998, the last byte read from 'bin.000003' at 3001055.'"
)
TRUNCATED = f"{FATAL}'binlog truncated in the middle of event; consider out of disk space on master; the first event'"
SAME_ID = (
    "Fatal error: The slave I/O thread stops because master and slave have equal MariaDB server ids; these ids must be "
    "different for replication to work"
)
IN_USE = f"{FATAL}'A slave with the same server_uuid/server_id as this slave has connected to the master; the first'"
MYSQL = "Got fatal error 1236 from source when reading data from binary log: "
MYSQL_PURGED = (
    f"{MYSQL}'Cannot replicate because the source purged required binary logs. Replicate the missing transactions from "
    "elsewhere, or provision a new replica from backup. Consider increasing the source's binary log expiration period. "
    "The GTID set sent by the replica is '', and the missing transactions are '9fd186f1-ec6e-11f1-8938-02fc00000001:1''"
)
PACKET = "Got a packet bigger than 'slave_max_allowed_packet' bytes"


@pytest.mark.parametrize(
    ("errno", "text", "kind"),
    [
        (1236, BEYOND, FaultKind.POSITION_BEYOND_END),
        (13114, f"{MYSQL}'Client requested source to start replication from position > file size'", "beyond"),
        (1236, BOGUS, FaultKind.POSITION_INSIDE_EVENT),
        (1236, f"{FATAL}'Could not find first log file name in binary log index file'", FaultKind.POSITION_PURGED),
        (13114, MYSQL_PURGED, FaultKind.POSITION_PURGED),
        (1236, GTID, FaultKind.GTID_STATE),
        (1236, OLD_GTID, FaultKind.GTID_STATE),
        (1236, CRC, FaultKind.LOG_DAMAGED),
        (1236, TRUNCATED, FaultKind.LOG_DAMAGED),
        (1236, f"{FATAL}'I/O error reading the header from the binary log'", FaultKind.LOG_DAMAGED),
        (1236, f"{FATAL}'Binary log is not open'", FaultKind.LOG_OFF),
        (1236, f"{FATAL}'log event entry exceeded max_allowed_packet; Increase max_allowed_packet'", "source"),
        (1236, IN_USE, FaultKind.ID_IN_USE),
        (1236, f"{FATAL}'a text of a release to come'", FaultKind.UNKNOWN),
        (1236, "", FaultKind.UNKNOWN),
        (1153, PACKET, FaultKind.PACKET_OF_REPLICA),
        (13125, "Got a packet bigger than 'replica_max_allowed_packet' bytes", FaultKind.PACKET_OF_REPLICA),
        (1593, SAME_ID, FaultKind.SAME_SERVER_ID),
        (1593, "Fatal error: something else", FaultKind.UNKNOWN),
        (1595, "Relay log write failure: could not queue event from master", FaultKind.RELAY_LOG_NOT_WRITTEN),
        (1045, "error connecting to master 'r@h:3306' message: Access denied for user", FaultKind.LOGIN),
        (1597, "Master command COM_REGISTER_SLAVE failed: Access denied for user (Errno: 1045)", FaultKind.PRIVILEGE),
        (1597, "Master command COM_REGISTER_SLAVE failed: something else", FaultKind.UNKNOWN),
        (2003, "error connecting to master 'r@h:3306' message: Can't connect", FaultKind.UNREACHABLE),
        (2026, "error connecting to master: TLS/SSL error", FaultKind.TLS),
        (4711, "never heard of", FaultKind.UNKNOWN),
    ],
)
def test_reading_fault__number_and_text__kind(errno: int, text: str, kind: FaultKind | str) -> None:
    wanted = {"beyond": FaultKind.POSITION_BEYOND_END, "source": FaultKind.PACKET_OF_SOURCE}.get(kind, kind)
    fault = reading_fault(channel(io_errno=errno, io_error=text))
    assert fault is not None
    assert fault.kind is wanted


def test_reading_fault__it_reads_or_tells_no_error__none() -> None:
    assert reading_fault(channel(io_running="Yes", io_errno=1236, io_error=BEYOND)) is None
    assert reading_fault(channel(io_errno=0)) is None


@pytest.mark.parametrize(
    ("errno", "kind"),
    [
        (1047, FaultKind.PASSING),
        (1213, FaultKind.PASSING),
        (1317, FaultKind.PASSING),
        (1927, FaultKind.PASSING),
        (1792, FaultKind.PASSING),
        (1594, FaultKind.RELAY_LOG_NOT_READ),
        (13121, FaultKind.RELAY_LOG_NOT_READ),
        (1062, FaultKind.TRANSACTION),
        (4711, FaultKind.TRANSACTION),
    ],
)
def test_applying_fault__number__kind(errno: int, kind: FaultKind) -> None:
    fault = applying_fault(channel(sql_errno=errno, sql_error="as said"))
    assert fault is not None
    assert fault.kind is kind


OLD = ("a1", "b1")


@pytest.mark.parametrize(
    ("errno", "text", "pair", "in_place", "moved"),
    [
        (1236, BEYOND, ("a1", "b1"), True, False),
        (1236, BEYOND, ("a2", "b1"), False, False),
        (1236, CRC, ("a1", "b1"), True, True),
        (1236, CRC, ("a2", "b1"), False, False),
        (1236, IN_USE, ("a2", "b1"), True, True),
        (1236, IN_USE, ("a1", "b2"), False, False),
        (2003, "", ("a1", "b1"), False, False),
        (4711, "", ("a1", "b1"), None, None),
        (4711, "", ("a2", "b1"), None, None),
        (4711, "", ("a1", "b2"), None, None),
        (4711, "", ("a2", "b2"), False, False),
        (1595, "", ("a1", "b1"), None, None),
    ],
)
def test_stops_again__by_the_place_of_its_cause(
    errno: int, text: str, pair: tuple[str, str], in_place: bool | None, moved: bool | None
) -> None:
    fault = reading_fault(channel(io_errno=errno, io_error=text))
    assert fault is not None
    ends = node(pair[0]), node(pair[1])
    assert stops_again(fault, OLD, *ends, has_new_position=False) is in_place
    assert stops_again(fault, OLD, *ends, has_new_position=True) is moved


@pytest.mark.parametrize(
    ("limit", "again"), [("1048576", True), (str(MOST_PACKET), False), (None, None), ("many", None)]
)
@pytest.mark.parametrize("replica", ["b1", "b2"])
def test_stops_again__row_larger_than_the_replica_accepts__until_its_limit_is_the_largest(
    limit: str | None, again: bool | None, replica: str
) -> None:
    fault = reading_fault(channel(io_errno=1153, io_error=PACKET))
    assert fault is not None
    variables = {} if limit is None else {"slave_max_allowed_packet": limit}
    end = node(replica, variables=variables)
    assert stops_again(fault, OLD, node("a1"), end, has_new_position=False) is again
    assert stops_again(fault, OLD, node("a1"), end, has_new_position=True) is again
    assert packet_limit(fault, node("a1"), end)[:2] == (end, "slave_max_allowed_packet")


@pytest.mark.parametrize(("ids", "again"), [((7, 7), True), ((7, 8), False), ((7, None), None)])
def test_stops_again__same_server_id__until_they_differ(ids: tuple[int, int | None], again: bool | None) -> None:
    fault = reading_fault(channel(io_errno=1593, io_error=SAME_ID))
    assert fault is not None
    ends = node("a1", server_id=ids[0]), node("b1", server_id=ids[1])
    assert stops_again(fault, OLD, *ends, has_new_position=True) is again


def channel(**changes: Any) -> ChannelFacts:
    facts: dict[str, Any] = {
        "name": "link1",
        "source_host": "10.0.0.1",
        "source_port": 3306,
        "source_user": "repl",
        "io_running": "No",
        "sql_running": "Yes",
        "read_file": "bin.000001",
        "read_offset": 4,
        "relay_file": "relay.000001",
        "relay_offset": 4,
        "exec_file": "bin.000001",
        "exec_offset": 4,
        "lag_s": None,
        "io_errno": 0,
        "io_error": "",
        "sql_errno": 0,
        "sql_error": "",
        "using_gtid": "No",
        "ignore_server_ids": (),
    }
    return ChannelFacts(**(facts | changes))


def node(name: str, **changes: Any) -> NodeFacts:
    ref = NodeRef(name, name, "10.0.0.1", 3306, name[0])
    return NodeFacts(ref, 0.0, Reach.UP, **changes)
