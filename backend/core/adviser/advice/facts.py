"""The configuration of clusters as it was read; what a node did not tell is absent, and absent is unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from backend.core.adviser.advice.options.parse import parse_options, plugin_options
from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CERTIFICATE_TIME = re.compile(
    r"(?P<month>[A-Z][a-z]{2}) {1,2}(?P<day>\d{1,2}) (?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d) (?P<year>\d{4}) GMT"
)
_GALERA = re.compile(r"(?:\d{2}\.)?(\d)\.(\d+)")


@dataclass(frozen=True, slots=True)
class NodeConfiguration:
    """One node's provider options, variables and status; `read_at_s` is None where nothing recent was read."""

    node_id: str
    name: str
    read_at_s: float | None = None
    flavor: str | None = None
    version: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    status: Mapping[str, str] = field(default_factory=dict)
    has_plugin: bool = False
    error: str = ""

    @property
    def is_read(self) -> bool:
        """Whether the node's configuration is known."""
        return self.read_at_s is not None

    @property
    def certificate_ends_at(self) -> datetime | None:
        """Until when the server's TLS certificate is valid; None where it shows none."""
        return certificate_end(self.status.get("ssl_server_not_after", ""))

    @property
    def galera(self) -> tuple[int, int] | None:
        """Major and minor version of the provider: (4, 23) of `4.23(r...)` and of `26.4.23`."""
        found = _GALERA.match(self.status.get("wsrep_provider_version", ""))
        return (int(found[1]), int(found[2])) if found else None

    @property
    def appliers(self) -> tuple[str, str] | None:
        """The variable of the number of appliers, as this server calls it, and its value."""
        names = ("wsrep_applier_threads", "wsrep_slave_threads")
        return next(((name, self.variables[name]) for name in names if name in self.variables), None)


@dataclass(frozen=True, slots=True)
class CertificateTime:
    """Until when a certificate is valid: that of an authority, of the console (client), or of a node (server)."""

    kind: str
    name: str
    ends_at: datetime

    @property
    def shown(self) -> str:
        """As a sentence names it."""
        names = {"authority": "authority", "client": "client certificate", "server": "node"}
        return f"{names[self.kind]} {self.name}"


@dataclass(frozen=True, slots=True)
class ClusterConfiguration:
    """A cluster's nodes; `channel_nodes` are the ids of those that are source or replica of a channel.

    `registered` are the certificates that are stored with the registration: of authorities and of the console.
    """

    id: str
    name: str
    nodes: tuple[NodeConfiguration, ...]
    channel_nodes: frozenset[str] = frozenset()
    registered: tuple[CertificateTime, ...] = ()

    @property
    def read(self) -> tuple[NodeConfiguration, ...]:
        """The nodes whose configuration is known."""
        return tuple(node for node in self.nodes if node.is_read)

    @property
    def certificates(self) -> tuple[CertificateTime, ...]:
        """Those that are registered, and those that nodes show."""
        ends = ((node.name, node.certificate_ends_at) for node in self.read)
        return (*self.registered, *(CertificateTime("server", name, at) for name, at in ends if at is not None))


@dataclass(frozen=True, slots=True)
class LinkConfiguration:
    """Both clusters of a link."""

    id: str
    name: str
    active: ClusterConfiguration
    standby: ClusterConfiguration


def certificate_end(text: str) -> datetime | None:
    """The time of a certificate as OpenSSL prints it (`Dec  6 07:45:06 2026 GMT`); None of any other text."""
    found = _CERTIFICATE_TIME.fullmatch(text)
    if found is None or found["month"] not in _MONTHS:
        return None
    month = _MONTHS.index(found["month"]) + 1
    year, day, hour, minute, second = (int(found[name]) for name in ("year", "day", "h", "m", "s"))
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None


def node_configuration(
    node_id: str, name: str, *, read_at_s: float, flavor: str, variables: Mapping[str, str], status: Mapping[str, str]
) -> NodeConfiguration:
    """A node's answers as facts: its options are taken out of the variables, without passwords."""
    by_plugin = plugin_options(variables)
    return NodeConfiguration(
        node_id,
        name,
        read_at_s=read_at_s,
        flavor=flavor,
        version=variables.get("version"),
        options=by_plugin or parse_options(variables.get(OPTIONS_VARIABLE, "")),
        variables={name: value for name, value in variables.items() if not name.startswith("wsrep_provider_")},
        status=dict(status),
        has_plugin=bool(by_plugin),
    )
