"""One replication connection in memory: what it read, what it applied, and its relay log."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from backend.core.binlog.events import LogEvent
from backend.core.positions import FilePosition, MariadbGtid
from backend.core.topology import ChannelFacts
from tests.fakes.gtid_start import Beginning
from tests.fakes.log import LogFile, Placed
from tests.fakes.transactions import Dress, parts_of

OPTIONS = {
    "Connect_Retry": "7",
    "Slave_heartbeat_period": "30.000",
    "SQL_Delay": "0",
    "Master_SSL_Allowed": "Yes",
    "Master_SSL_CA_File": "/etc/mysql/ca.pem",
    "Master_SSL_CA_Path": "",
    "Master_SSL_Cert": "",
    "Master_SSL_Cipher": "",
    "Master_SSL_Key": "",
    "Master_SSL_Verify_Server_Cert": "Yes",
    "Master_SSL_Crl": "",
    "Master_SSL_Crlpath": "",
    "Using_Gtid": "No",
    "Replicate_Do_Domain_Ids": "",
    "Replicate_Ignore_Domain_Ids": "",
    "Replicate_Do_DB": "",
    "Replicate_Ignore_DB": "",
    "Replicate_Do_Table": "",
    "Replicate_Ignore_Table": "",
    "Replicate_Wild_Do_Table": "",
    "Replicate_Wild_Ignore_Table": "",
    "Replicate_Rewrite_DB": "",
    "Parallel_Mode": "optimistic",
    "Max_relay_log_size": "0",
}


@dataclass(slots=True)
class FakeChannel:
    """Settings, threads and progress of one connection; positions are the source's.

    `heard_s`: when its source last answered. `era`: of its source's log when it connected. `bypasses_replication`: its
    SQL thread began under wsrep_on=OFF, which holds until that thread is restarted. `passed`: of each GTID domain
    the last group that it ignored and has not yet counted as applied. `takes_place`: from gtid_slave_pos, as soon as it
    connects; `beginning`: what its source then left out; `is_unplaced`: it never did. `has_broken_relay_log`: by a
    crash; its SQL thread stops on it, at every start, until CHANGE MASTER begins another one. `is_detached`: its source
    is outside of this world.
    """

    name: str
    source: tuple[str, int]
    user: str
    position: FilePosition
    ignore: tuple[int, ...]
    options: dict[str, str] = field(default_factory=lambda: dict(OPTIONS))
    io: str = "No"
    sql: str = "No"
    read: FilePosition | None = None
    pending: list[Placed] = field(default_factory=list)
    is_cut_off: bool = False
    sql_errno: int = 0
    sql_error: str = ""
    io_error: str = ""
    relay: LogFile = field(default_factory=lambda: LogFile("relay-bin.000001"))
    relay_done: int = 4
    source_server_id: int | None = None
    is_unplaced: bool = False
    takes_place: bool = False
    beginning: Beginning = field(default_factory=Beginning)
    is_foreign: bool = False
    done: list[tuple[Placed, FilePosition, int]] = field(default_factory=list)
    had: set[int] = field(default_factory=set)
    skips: set[int] = field(default_factory=set)
    heard_s: float = 0.0
    era: int = 0
    bypasses_replication: bool = False
    passed: dict[int, MariadbGtid] = field(default_factory=dict)
    has_broken_relay_log: bool = False
    is_detached: bool = False

    def __post_init__(self) -> None:
        self.read = self.read or self.position
        if not self.relay.events:
            self._head()

    @property
    def uses_gtid(self) -> bool:
        """Whether it takes its place from gtid_slave_pos each time both threads start."""
        return self.options["Using_Gtid"] == "Slave_Pos"

    @property
    def io_errno(self) -> int:
        """1236 where the source refused, 2003 where it cannot be reached."""
        return int(self.io_error.partition(":")[0]) if self.io_error[:4].isdigit() else 2003 * bool(self.io_error)

    def start_from_gtid(self) -> None:
        """Both threads stood: its relay log goes, and gtid_slave_pos says where it goes on."""
        if self.uses_gtid:
            self.takes_place = True
            self.pending.clear()
            self.passed.clear()

    @property
    def is_running(self) -> bool:
        """Either thread works or tries to."""
        return self.io != "No" or self.sql != "No"

    def _head(self) -> None:
        self.relay.put("Format_desc", 21, 252, "Server ver: 10.11.19-MariaDB")
        self.relay.put("Rotate", 11, 47, f"{self.position.file};pos={self.position.offset}")
        self.relay_done = self.relay.size

    def open_relay(self) -> None:
        """A (re)connect opens a new relay file; the old one goes once it is applied."""
        if not self.pending:
            number = int(self.relay.name.rpartition(".")[2]) + 1
            self.relay = LogFile(f"relay-bin.{number:06d}")
            self.done.clear()
            self._head()

    def receive(self, placed: Placed, *, dress: Dress) -> None:
        """Copy a group into the relay log: own offsets, the source's end positions."""
        offset = placed.start.offset
        for kind, size, info in parts_of(placed.txn, placed.xid, placed.gtid, dress, placed.by):
            event = self.relay.put(kind, placed.txn.server_id, size, info)
            offset += size
            self.relay.events[-1] = event._replace(end_log_pos=offset)
        self.pending.append(placed)
        if placed.gtid is not None:
            self.passed.pop(placed.gtid.domain, None)
        self.read = placed.end

    def applied(self, placed: Placed) -> None:
        """The SQL thread has finished the first pending group."""
        self.done.append((placed, self.position, self.relay_done))
        self.pending.remove(placed)
        self.position = placed.end
        self.relay_done = next((e.pos for e in self._rows_of_next()), self.relay.size)

    def fall_back(self, groups: int) -> None:
        """The server was killed and is back: its record of the last groups was not written, the groups were.

        To apply one of them again would be error 1062. A group whose relay file is deleted cannot be fallen back to;
        in GTID mode the record is a table, and part of the commit.
        """
        if self.uses_gtid:
            return
        for _ in range(groups):
            if not self.done or self.done[-1][2] > self.relay_done:
                return
            placed, self.position, self.relay_done = self.done.pop()
            self.pending.insert(0, placed)
            self.had.add(placed.txn.uid)

    def begin(self) -> None:
        """Its server started: both threads begin, however they stood before, and forget what stopped them."""
        self.start_from_gtid()
        self.io, self.sql, self.io_error = "Connecting", "Yes", ""
        self.sql_errno, self.sql_error = 0, ""
        self.bypasses_replication = False
        self.stop_on_broken_relay_log()

    def stop_on_duplicate(self) -> None:
        """The SQL thread met a row that is there already."""
        self.sql, self.sql_errno, self.sql_error = "No", 1062, "Duplicate entry '1' for key 'PRIMARY'"

    def stop_on_expulsion(self) -> None:
        """The SQL thread would apply, and its node is out of its cluster."""
        self.sql, self.sql_errno, self.sql_error = "No", 1047, "Node has dropped from cluster"

    def stop_on_broken_relay_log(self) -> None:
        """The SQL thread cannot read on; in GTID mode a start begins another relay log."""
        if self.has_broken_relay_log and not self.uses_gtid:
            self.sql, self.sql_errno, self.sql_error = "No", 1594, "Relay log read failure"

    def _rows_of_next(self) -> list[LogEvent]:
        if not self.pending:
            return []
        left = sum(placed.event_count for placed in self.pending)
        return self.relay.events[-left:]

    def ignore_group(self, placed: Placed) -> None:
        """Read, and left out; what is executed moves on only where the SQL thread runs."""
        self.read = placed.end
        if placed.gtid is not None:
            self.passed[placed.gtid.domain] = placed.gtid

    def facts(self) -> ChannelFacts:
        """As SHOW ALL SLAVES STATUS tells it."""
        read = self.read or self.position
        cut = 77 if self.is_cut_off else 0
        return ChannelFacts(
            name=self.name,
            source_host=self.source[0],
            source_port=self.source[1],
            source_user=self.user,
            io_running=self.io,
            sql_running=self.sql,
            read_file="" if self.is_unplaced else read.file,
            read_offset=4 if self.is_unplaced else read.offset + cut,
            relay_file=self.relay.name,
            relay_offset=self.relay_done,
            exec_file="" if self.is_unplaced else self.position.file,
            exec_offset=4 * self.takes_place if self.is_unplaced else self.position.offset,
            lag_s=0 if self.sql == "Yes" and self.io == "Yes" else None,
            io_errno=self.io_errno,
            io_error=self.io_error,
            sql_errno=self.sql_errno,
            sql_error=self.sql_error,
            using_gtid=self.options["Using_Gtid"],
            ignore_server_ids=self.ignore,
            options=dict(self.options),
            sql_state="Slave has read all relay log; waiting for more updates" if not self.pending else "Applying",
            source_server_id=self.source_server_id,
        )

    def copy(self) -> FakeChannel:
        """As it stands now, for comparing later."""
        parts = {"pending": list(self.pending), "done": list(self.done), "passed": dict(self.passed)}
        return replace(self, options=dict(self.options), **parts)  # type: ignore[arg-type]
