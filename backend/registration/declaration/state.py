"""Clusters and links as a file declares them, and as they are registered: values to compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node by its name in the cluster; `host` in lower case."""

    name: str
    host: str
    port: int

    @property
    def address(self) -> tuple[str, int]:
        """Where the node is reached; unique among all registered nodes."""
        return self.host, self.port


@dataclass(frozen=True, slots=True)
class AccountState:
    """An account; `digest` is equal for equal passwords within one comparison, and empty where none can be read.

    `reference` is where the password stays, if it is not sealed here; it has no digest then.
    """

    user: str
    digest: str
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class ClientState:
    """The client certificate of the console; a certificate that is the same has the same key.

    `key` says where the key is: a reference, or one of `SEALED` and `UNREADABLE`. A key itself is never compared.
    """

    cert: str
    key: str


SEALED, UNREADABLE = "sealed", "sealed and unreadable"
"""In the console's database; the second one equals nothing that is declared, so that it is stored again."""


@dataclass(frozen=True, slots=True)
class ClusterState:
    """A cluster by its name; `accounts` by role. No `client` that is declared: it stays as it is registered."""

    name: str
    site: str
    tls_mode: str
    tls_ca: str
    accounts: Mapping[str, AccountState]
    nodes: tuple[NodeState, ...]
    client: ClientState | None = None


@dataclass(frozen=True, slots=True)
class LinkState:
    """A link by its name. A value of None is not declared: it stays as it is registered.

    `create_probe` counts when the link is registered: afterwards nothing tells whether it was asked for.
    """

    name: str
    clusters: frozenset[str]
    home: str
    channel_name: str
    requires_approval: bool | None = None
    writes_on_both_sides: bool | None = None
    create_probe: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class RegistrationState:
    """Clusters and links, in the order of the file."""

    clusters: tuple[ClusterState, ...] = ()
    links: tuple[LinkState, ...] = ()

    def cluster(self, name: str) -> ClusterState | None:
        """The cluster of that name."""
        return next((cluster for cluster in self.clusters if cluster.name == name), None)

    def link(self, name: str) -> LinkState | None:
        """The link of that name."""
        return next((link for link in self.links if link.name == name), None)
