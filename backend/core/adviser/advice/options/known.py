"""The options that Hawser knows: default, whether a running server takes a change, and their meaning.

Tried on Galera 26.4.23 (`SET GLOBAL` of each with another value), defaults as a server shows them that sets none. An
option that is not here is shown as it is and not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class KnownOption:
    """One option; `default` None: it depends on the node. `must_be_equal`: on all nodes of a cluster, and `why`."""

    name: str
    meaning: str
    default: str | None
    is_dynamic: bool
    why_equal: str = ""


_DETECTION: Final = "The nodes would declare each other failed at different times."
_WINDOW: Final = "The nodes would wait for each other at different amounts of data."
_LIMIT: Final = "A transaction that one node accepts could be refused on another."
_FORMAT: Final = "The nodes would not agree on the form of their messages."
_DONOR: Final = "Whether a node that returns gets an IST or a full SST would depend on its donor."
_ROWS: Final[tuple[tuple[str, str | None, bool, str, str], ...]] = (
    ("cert.log_conflicts", "no", True, "logs certification conflicts", ""),
    ("cert.optimistic_pa", "yes", True, "applies in parallel beyond what certification proves", ""),
    ("debug", "no", True, "writes much more to the log", ""),
    ("evs.auto_evict", "0", True, "evicts a node after so many delays", _DETECTION),
    ("evs.causal_keepalive_period", "PT1S", True, "keepalive of causal reads", ""),
    ("evs.debug_log_mask", "0x1", True, "what debug writes of the group protocol", ""),
    ("evs.delay_margin", "PT1S", True, "delay that counts as one", _DETECTION),
    ("evs.delayed_keep_period", "PT30S", True, "for how long a delay is remembered", _DETECTION),
    ("evs.inactive_check_period", "PT0.5S", False, "how often the nodes look for inactive peers", _DETECTION),
    ("evs.inactive_timeout", "PT15S", True, "after which a silent node is expelled in any case", _DETECTION),
    ("evs.info_log_mask", "0", True, "what is always written of the group protocol", ""),
    ("evs.install_timeout", None, True, "limit of forming a membership", _DETECTION),
    ("evs.join_retrans_period", "PT1S", True, "how often a join message is repeated", ""),
    ("evs.keepalive_period", "PT1S", True, "how often an idle node sends a sign of life", _DETECTION),
    ("evs.max_install_timeouts", "3", True, "attempts to form a membership", _DETECTION),
    ("evs.send_window", "4", True, "messages of a node that may be in flight, all kinds", _WINDOW),
    ("evs.stats_report_period", "PT1M", True, "how often the latency statistics start again", ""),
    ("evs.suspect_timeout", "PT5S", True, "after which a silent node is suspected", _DETECTION),
    ("evs.use_aggregate", "true", True, "packs small messages together", ""),
    ("evs.user_send_window", "2", True, "write-sets of a node that may be in flight", _WINDOW),
    ("evs.version", "1", True, "version of the group protocol", _FORMAT),
    ("evs.view_forget_timeout", "P1D", False, "for how long old memberships are remembered", ""),
    ("gcache.keep_pages_size", "0", True, "size of page files that are kept", ""),
    ("gcache.mem_size", "0", True, "size of the store in memory", ""),
    ("gcache.page_size", "128M", True, "size of a page file", ""),
    ("gcache.recover", "yes", True, "reads the store again after a restart", ""),
    ("gcache.size", "128M", False, "file of the last write-sets, from which a returning node gets an IST", _DONOR),
    ("gcomm.thread_prio", "", False, "priority of the communication thread", ""),
    ("gcs.fc_debug", "0", True, "writes flow control to the log", ""),
    ("gcs.fc_factor", "1.0", True, "part of the limit at which flow control ends", _WINDOW),
    ("gcs.fc_limit", "16", True, "length of the receive queue at which flow control begins", _WINDOW),
    ("gcs.fc_master_slave", "no", False, "former name of gcs.fc_single_primary", ""),
    ("gcs.fc_single_primary", "no", False, "does not scale the limit with the number of nodes", _WINDOW),
    ("gcs.max_packet_size", "64500", False, "size of a fragment of a write-set", ""),
    ("gcs.max_throttle", "0.25", True, "least rate while a state transfer runs", ""),
    ("gcs.recv_q_hard_limit", "9223372036854775807", True, "largest receive queue in bytes", ""),
    ("gcs.recv_q_soft_limit", "0.25", True, "part of it at which replication slows down", ""),
    ("gcs.sync_donor", "no", True, "whether a donor delays the cluster", ""),
    ("gmcast.mcast_addr", "", False, "UDP multicast instead of TCP", _FORMAT),
    ("gmcast.mcast_ttl", "1", False, "reach of UDP multicast", ""),
    ("gmcast.peer_timeout", "PT3S", False, "limit of a connection attempt between nodes", ""),
    ("gmcast.segment", "0", False, "group of nodes that lie close together, with one relay to the others", ""),
    ("gmcast.time_wait", "PT5S", False, "for how long a former peer is refused", ""),
    ("gmcast.version", "0", False, "version of the transport", _FORMAT),
    ("pc.announce_timeout", "PT3S", False, "how long a starting node announces itself", ""),
    ("pc.checksum", "false", False, "checksums of messages of the component", _FORMAT),
    ("pc.ignore_quorum", "false", True, "goes on without quorum", "A split would be handled differently on each side."),
    ("pc.ignore_sb", "false", True, "accepts writes in a split", "A split would be handled differently on each side."),
    ("pc.linger", "PT20S", False, "wait for remaining messages at the end", ""),
    ("pc.npvo", "false", False, "the newer of two components wins", ""),
    ("pc.recovery", "true", False, "restores the Primary Component after all nodes stopped", ""),
    ("pc.version", "0", False, "version of the component protocol", _FORMAT),
    ("pc.wait_prim", "true", False, "waits for a Primary Component at start", ""),
    ("pc.wait_prim_timeout", "PT30S", False, "limit of that wait", ""),
    ("pc.weight", "1", True, "votes of the node in a quorum", ""),
    ("protonet.backend", "asio", False, "network library", ""),
    ("protonet.version", "0", False, "version of the network protocol", _FORMAT),
    ("repl.causal_read_timeout", "PT30S", True, "limit of a read that waits for the cluster", ""),
    ("repl.commit_order", "3", False, "order in which transactions are committed", "The logs would differ in order."),
    ("repl.key_format", "FLAT8", True, "form of the keys for certification", _FORMAT),
    ("repl.max_ws_size", "2147483647", True, "largest write-set in bytes", _LIMIT),
    ("repl.proto_max", "11", True, "newest protocol that the node offers", _FORMAT),
    ("socket.checksum", "2", False, "checksums of messages between nodes", _FORMAT),
    ("socket.recv_buf_size", "auto", True, "receive buffer of the connections between nodes", ""),
    ("socket.send_buf_size", "auto", False, "send buffer of the connections between nodes", ""),
)
KNOWN: Final[Mapping[str, KnownOption]] = {
    name: KnownOption(name, meaning, default, is_dynamic, why) for name, default, is_dynamic, meaning, why in _ROWS
}
OF_NODE: Final = frozenset(
    {
        "base_dir",
        "base_host",
        "base_port",
        "gcache.dir",
        "gcache.name",
        "gmcast.listen_addr",
        "ist.recv_addr",
        "ist.recv_bind",
    }
)
"""Options that each node has its own value of; they are neither compared nor set."""


def equal_options() -> Iterable[KnownOption]:
    """The options that all nodes of a cluster must agree in."""
    return (option for option in KNOWN.values() if option.why_equal)
