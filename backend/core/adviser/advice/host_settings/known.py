"""The kernel's network settings that are compared, each with its reason, its measured effect and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from backend.core.adviser.advice.configuration.profile import NOT_MEASURED
from backend.core.adviser.advice.layout import Layout

_ARTICLE: Final = "field article on one cluster over two sites"
_BYTES: Final = "16777216"
CONGESTION_CONTROL: Final = "net.ipv4.tcp_congestion_control"
AVAILABLE: Final = "net.ipv4.tcp_available_congestion_control"


class Form(StrEnum):
    """What a value is, and which values are as good as the recommended one."""

    EXACT = "exact"
    LEAST = "least"
    LEAST_OF_THREE = "least_of_three"
    """Three numbers, of which the last is the limit; the first two are kept."""
    WORDS = "words"

    @property
    def numbers(self) -> int:
        """How many numbers a value has; 0 for names."""
        return {Form.WORDS: 0, Form.LEAST_OF_THREE: 3}.get(self, 1)


@dataclass(frozen=True, slots=True)
class HostSetting:
    """A setting; `wanted` is empty where no value is recommended, and `why` then says why not."""

    name: str
    form: Form
    why: str
    wanted: Mapping[Layout, str] = field(default_factory=dict)
    effect: str = NOT_MEASURED
    source: str = _ARTICLE
    is_removed: bool = False
    """Current kernels do not have it, so that its absence is no gap."""


def _distant(name: str, form: Form, value: str, why: str) -> HostSetting:
    return HostSetting(name, form, why, {Layout.TWO_SITES: value})


_BUFFER: Final = (
    "One connection carries at most its buffer in each round trip: 4 MiB at 50 ms are 671 Mbit/s, 16 MiB are 2,684. "
    "Only the last of the three numbers is the limit; the first two are kept."
)
_OWN_BUFFER: Final = (
    "The limit for programs that choose a buffer themselves, as Galera does where socket.{name} is set. The limit of "
    "all other connections is in {tcp}."
)
_SHORT: Final = "It concerns many short connections. Replication keeps a few open for long, so it changes nothing."

RECOMMENDED: Final = (
    HostSetting(
        CONGESTION_CONTROL,
        Form.WORDS,
        "Most algorithms, such as cubic, take every lost packet for a full line and slow down. On a full line, other "
        "connections may get less beside bbr.",
        {Layout.TWO_SITES: "bbr"},
        "One connection at 50 ms with 1 % loss: 164 Mbit/s with bbr, 4.1 with cubic. Without loss, commits took as "
        "long with either.",
        "measured in the lab with distance, Linux 6.18",
    ),
    _distant("net.ipv4.tcp_rmem", Form.LEAST_OF_THREE, _BYTES, _BUFFER),
    _distant("net.ipv4.tcp_wmem", Form.LEAST_OF_THREE, _BYTES, _BUFFER),
    _distant(
        "net.core.rmem_max", Form.LEAST, _BYTES, _OWN_BUFFER.format(name="recv_buf_size", tcp="net.ipv4.tcp_rmem")
    ),
    _distant(
        "net.core.wmem_max", Form.LEAST, _BYTES, _OWN_BUFFER.format(name="send_buf_size", tcp="net.ipv4.tcp_wmem")
    ),
    _distant(
        "net.ipv4.tcp_slow_start_after_idle",
        Form.EXACT,
        "0",
        "An idle connection keeps its window. Otherwise a large write-set after a pause takes more round trips.",
    ),
    _distant(
        "net.ipv4.tcp_mtu_probing",
        Form.LEAST,
        "1",
        "Finds a smaller packet size where a tunnel or firewall drops large packets without a word, so that the "
        "connection does not hang.",
    ),
    HostSetting(
        "net.ipv4.tcp_tw_recycle",
        Form.EXACT,
        "Refuses connections from behind address translation. Linux 4.12 removed it.",
        dict.fromkeys(Layout, "0"),
        source="documentation of the Linux kernel",
        is_removed=True,
    ),
)
NOT_ADVISED: Final = (
    HostSetting(
        "net.core.rmem_default", Form.LEAST, "TCP takes net.ipv4.tcp_rmem; only other sockets would get larger buffers."
    ),
    HostSetting(
        "net.core.wmem_default", Form.LEAST, "TCP takes net.ipv4.tcp_wmem; only other sockets would get larger buffers."
    ),
    HostSetting("net.core.optmem_max", Form.LEAST, "It limits control messages, which replication does not send."),
    HostSetting(
        "net.core.netdev_max_backlog",
        Form.LEAST,
        "It helps only where packets are dropped before TCP sees them: where the second column of "
        "/proc/net/softnet_stat grows.",
    ),
    HostSetting(
        "net.core.default_qdisc", Form.WORDS, "bbr needs no fq since Linux 4.13: TCP spaces its packets itself."
    ),
    HostSetting("net.ipv4.tcp_max_syn_backlog", Form.LEAST, _SHORT),
    HostSetting("net.ipv4.tcp_max_tw_buckets", Form.LEAST, _SHORT),
    HostSetting("net.ipv4.tcp_tw_reuse", Form.EXACT, _SHORT),
    HostSetting("net.ipv4.tcp_fin_timeout", Form.EXACT, _SHORT),
)
FORMS: Final[dict[str, Form]] = {one.name: one.form for one in (*RECOMMENDED, *NOT_ADVISED)} | {AVAILABLE: Form.WORDS}

COMMAND: Final = f"/sbin/sysctl -e {' '.join(FORMS)}"
"""Reads and changes nothing; `-e` passes over settings that the kernel does not have."""
