"""Names, addresses and folders of a lab. Pure: nothing here touches a process or a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.servers.catalogue import HOST

VARIANTS = ("classic", "shared-id", "gtid", "aligned")
SITES = ("a", "b")
CLUSTER_NAMES = {"a": "milan", "b": "frankfurt"}
PORT = 3306
CONTAINERS_NET = "198.19"
"""Of the range for measurements inside one network (RFC 2544): no host of the world has such an address."""
# A socket address holds 107 bytes of path; the file name needs some of them.
LONGEST_HOME = 85


@dataclass(frozen=True)
class Node:
    """One server of the lab."""

    name: str
    site: str
    index: int
    host: str
    server_id: int
    auto_increment_offset: int
    port: int = PORT


def parse_servers(text: str) -> tuple[str, str]:
    """`mariadb-11.8` for both sites, or `a=mariadb-10.11,b=mariadb-11.8`; a site that is not named has the host's."""
    if "=" not in text:
        return text, text
    chosen: dict[str, str] = {}
    for part in text.split(","):
        site, _, name = part.partition("=")
        if site not in SITES or not name or site in chosen:
            raise LabError(f"--server takes NAME, or a=NAME,b=NAME, not {text!r}")
        chosen[site] = name
    return chosen.get("a", HOST), chosen.get("b", HOST)


def default_servers() -> tuple[str, str]:
    """`HAWSER_LAB_SERVER`, in the words of `--server`; the host's own server without it."""
    return parse_servers(os.environ.get("HAWSER_LAB_SERVER", HOST))


@dataclass(frozen=True)
class Settings:
    """What a lab was brought up with; stored as `lab.json` in its home."""

    variant: str = "classic"
    net: str = "127.0"
    sizes: tuple[int, int] = (3, 3)
    skip_slave_start: bool = False
    channel_tls: bool = False
    overrides: dict[str, str] = field(default_factory=dict)
    servers: tuple[str, str] = field(default_factory=default_servers)
    upgraded: dict[str, str] = field(default_factory=dict)
    wan: bool = False
    one_cluster: bool = False
    segments: bool = False

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise LabError(f"there is no variant {self.variant!r}. Choose from {', '.join(VARIANTS)}")
        if not all(1 <= size <= 9 for size in self.sizes):
            raise LabError(f"a site has 1 to 9 nodes, not {self.sizes[0]}+{self.sizes[1]}")

        if self.segments and not self.one_cluster:
            raise LabError("segments are of one cluster over both sites. Add --one-cluster")
        if self.one_cluster and self.variant != "classic":
            raise LabError(f"one cluster over both sites has no channels, so the variant {self.variant} means nothing")

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> Settings:
        """Settings as `lab.json` holds them; JSON has no tuples."""
        pairs: dict[str, Any] = {key: tuple(stored[key]) for key in ("sizes", "servers") if key in stored}
        return cls(**{**stored, **pairs})

    def cluster_name(self, node: Node) -> str:
        """Name of the node's cluster: one of each site, or one of both."""
        return CLUSTER_NAMES["a" if self.one_cluster else node.site]

    def server_of(self, node: Node) -> str:
        """Name of the server that a node runs, see `deploy.servers`: its site's, unless it alone was upgraded."""
        return self.upgraded.get(node.name, self.servers[SITES.index(node.site)])


def parse_sizes(text: str) -> tuple[int, int]:
    """`3+3` -> (3, 3)."""
    parts = text.split("+")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise LabError(f"--nodes takes N+M, for example 3+3, not {text!r}")
    return int(parts[0]), int(parts[1])


def nodes_of(settings: Settings) -> list[Node]:
    """All nodes, site a first. Auto-increment offsets never overlap over both sites."""
    nodes: list[Node] = []
    for number, (site, size) in enumerate(zip(SITES, settings.sizes, strict=True), start=1):
        for index in range(1, size + 1):
            # wsrep_gtid_mode gives its transactions one server id per cluster.
            shared = settings.variant in ("shared-id", "gtid")
            nodes.append(
                Node(
                    name=f"db-{site}{index}",
                    site=site,
                    index=index,
                    host=_address(settings, number, index),
                    server_id=number * 10 + (0 if shared else index),
                    auto_increment_offset=len(nodes) + 1,
                )
            )
    return nodes


def _address(settings: Settings, site_number: int, index: int) -> str:
    if settings.wan:
        return f"{wan_net(settings.net)}.{site_number * 10 + index}"
    return f"{settings.net}.{site_number}.{index}"


def wan_net(net: str) -> str:
    """The first three bytes of all addresses of a lab with distance; see `deploy.lab.wan.addresses`."""
    return f"198.18.{net.partition('.')[2]}"


@dataclass(frozen=True)
class Paths:
    """Where things lie under a lab's home."""

    home: Path

    def __post_init__(self) -> None:
        if len(str(self.home)) > LONGEST_HOME:
            raise LabError(f"the path of the lab's home {self.home} is too long for Unix sockets. Set HAWSER_LAB_HOME")

    @property
    def settings(self) -> Path:
        return self.home / "lab.json"

    @property
    def secrets(self) -> Path:
        return self.home / "secrets.json"

    @property
    def templates(self) -> Path:
        return self.home / "templates"

    def template(self, server: str) -> Path:
        """Of one release: another one's system tables differ."""
        return self.templates / server

    @property
    def tls(self) -> Path:
        return self.home / "tls"

    @property
    def ca(self) -> Path:
        """The certificate of the authority that signed those of all nodes."""
        return self.tls / "ca.pem"

    @property
    def ledgers(self) -> Path:
        return self.home / "ledgers"

    def datadir(self, name: str) -> Path:
        return self.home / "data" / name

    def tmpdir(self, name: str) -> Path:
        """Of one server alone: one that starts deletes every `#sql*` file there, whosever temporary table it is."""
        return self.home / "tmp" / name

    def config(self, name: str) -> Path:
        return self.home / "conf" / f"{name}.cnf"

    def socket(self, name: str) -> Path:
        return self.home / "run" / f"{name}.sock"

    def pid(self, name: str) -> Path:
        return self.home / "run" / f"{name}.pid"

    def log(self, name: str) -> Path:
        return self.home / "log" / f"{name}.log"

    @property
    def wan_plan(self) -> Path:
        """Shapes and cuts of a lab with distance."""
        return self.home / "run" / "wan.json"

    def folders(self) -> list[Path]:
        """Folders that must exist before anything starts."""
        return [
            self.home,
            self.tls,
            self.ledgers,
            *(self.home / part for part in ("data", "tmp", "conf", "run", "log")),
        ]


def default_home() -> Path:
    """`HAWSER_LAB_HOME`, or `.lab` under the repository root."""
    given = os.environ.get("HAWSER_LAB_HOME")
    return Path(given).resolve() if given else Path(__file__).resolve().parents[2] / ".lab"


def default_net() -> str:
    """`HAWSER_LAB_NET`: the first two bytes of all addresses, which never leave the machine.

    Inside 127/8, or `198.19`: addresses of a device of this machine that containers reach, too
    (`deploy.containers.lab_addresses`).
    """
    net = os.environ.get("HAWSER_LAB_NET", "127.0")
    parts = net.split(".")
    is_loopback = len(parts) == 2 and parts[0] == "127" and parts[1].isdigit() and int(parts[1]) <= 255
    if net != CONTAINERS_NET and not is_loopback:
        raise LabError(f"HAWSER_LAB_NET is {net!r}; it must be two numbers inside 127/8, for example 127.7")
    return net
