"""What a node says before and while a measurement writes to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from backend.core.adviser.calibration.decision import NodeAround
from backend.core.adviser.calibration.table import SCHEMA_SQL
from backend.core.adviser.network.sql_facts import ROUND_TRIP_SQL, GroupLatency, group_latency
from backend.core.dialects.needs import PROBE
from backend.core.estimates import Unknown
from backend.core.ports import NodeError, NodeReader
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.grants import held_privileges
from backend.gateway.reader import Reader
from backend.gateway.writer import Writer

READ_S = 2.0
ROUND_TRIPS = 10
_STATUS_SQL = (
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_status', 'wsrep_local_state', "
    "'wsrep_flow_control_paused_ns', 'wsrep_evs_repl_latency')"
)
_OPTIONS_SQL = "SELECT @@wsrep_provider_options AS options"
_SYNCED = "4"


def status_of(reader: NodeReader) -> dict[str, str]:
    """Its Galera status, by name."""
    return {str(row["Variable_name"]): str(row["Value"]) for row in reader.query(_STATUS_SQL)}


def around(access: NodeAccess) -> NodeAround:
    """Whether it can be written to; an error is a fact."""
    writer: Writer | None = None
    try:
        writer = Writer(access.ref, access.operator)
        status = {str(row["Variable_name"]): str(row["Value"]) for row in writer.query(_STATUS_SQL)}
        return NodeAround(
            access.ref.name,
            has_probe_schema=str(writer.query(SCHEMA_SQL)[0]["n"]) != "0",
            lacks=held_privileges(writer).lacks(PROBE, "hawser"),
            is_primary=status.get("wsrep_cluster_status") == "Primary",
            is_synced=status.get("wsrep_local_state") == _SYNCED,
        )
    except NodeError as error:
        return NodeAround(access.ref.name, None, None, is_primary=False, is_synced=False, error=error.message)
    finally:
        if writer is not None:
            writer.close()


def round_trip_ms(reader: NodeReader) -> float:
    """The console's own, the least of ten."""

    def once() -> float:
        began = time.perf_counter()
        reader.query(ROUND_TRIP_SQL)
        return (time.perf_counter() - began) * 1000

    return min(once() for _ in range(ROUND_TRIPS))


def latency_of(status: dict[str, str]) -> GroupLatency | Unknown:
    """Of deliveries to all members since the node's last report."""
    return group_latency(status.get("wsrep_evs_repl_latency", "")) or Unknown(
        "The node had no sample of wsrep_evs_repl_latency: it began to count again meanwhile, or it is alone."
    )


def window_of(reader: NodeReader) -> int | Unknown:
    """`evs.user_send_window`."""
    pairs = (part.split("=", 1) for part in str(reader.query(_OPTIONS_SQL)[0]["options"]).split(";") if "=" in part)
    text = {name.strip(): value.strip() for name, value in pairs}.get("evs.user_send_window", "")
    return int(text) if text.isascii() and text.isdigit() else Unknown("The node does not show evs.user_send_window.")


@dataclass
class FlowControl:
    """The share of the time that flow control took since the first look."""

    reader: Reader
    now: Callable[[], float] = time.monotonic
    _first: tuple[float, int] | None = field(default=None, init=False)

    def paused(self) -> float | None:
        """None where the node does not say it."""
        try:
            text = status_of(self.reader).get("wsrep_flow_control_paused_ns", "")
        except NodeError:
            return None
        if not text.isdigit():
            return None
        at, total = self.now(), int(text)
        if self._first is None:
            self._first = (at, total)
        began, before = self._first
        return (total - before) / 1e9 / (at - began) if at > began else 0.0
