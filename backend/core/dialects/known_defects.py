"""Known defects of servers and of Galera that touch replication between two clusters, by exact release.

`docs/reference/known-defects.md` is written from this table. It says what happens and where it is fixed, not how.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.dialects.base import Series
from backend.core.dialects.tested_versions import FIRST, Release

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_CHANGES_CHANNELS = re.compile(
    r"(?:BEGIN NOT ATOMIC\s+)?(?:STOP|START|RESET|CHANGE)\s+(?:SLAVE|REPLICA|MASTER|REPLICATION\s+SOURCE)\b", re.I
)
_PROVIDER = re.compile(r"(?:26\.)?4\.(\d+)")


class Concerns(StrEnum):
    """Which nodes of an affected release a defect touches."""

    EVERY_NODE = "every node"
    GTID_CHANNELS = "nodes of a cluster with a channel by GTID"
    RESTARTS_CHANNELS = "nodes with wsrep_restart_slave=ON"
    RSYNC = "nodes with wsrep_sst_method=rsync"
    UNSEEN = "nodes with encrypted state transfers: no variable shows them, so no finding does"


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect of a product. `came` is the first release with it by series; without a series in it, that has it not.

    An empty `came`: every release before the fix. A series that is older than the last one with a fix, and has none, is
    not mended. `is_severe`: data or a server may be lost by it.
    """

    id: str
    effect: str
    remedy: str
    fixed: Mapping[Series, Release]
    came: Mapping[Series, Release] = field(default_factory=dict)
    concerns: Concerns = Concerns.EVERY_NODE
    is_severe: bool = True
    is_of_provider: bool = False

    @property
    def product(self) -> str:
        """What has it: a release number alone may be of either."""
        return "Galera" if self.is_of_provider else "MariaDB"

    def is_in(self, release: Release) -> bool:
        """Whether this release has it."""
        series = release[:2]
        first = self.came.get(series) if self.came else None
        if (self.came and first is None) or (first is not None and release < first):
            return False
        fixed = self.fixed.get(series)
        return series < max(self.fixed) if fixed is None else release < fixed


_UPGRADE = "Upgrade to a release with the fix."
CHANNEL_STATUS = "MDEV-40298"
GTID_ON_ONE_NODE = "MDEV-31413"
DEFECTS = (
    Defect(
        CHANNEL_STATUS,
        "The server can end while one of its channels is stopped, started or changed and its status is read.",
        "Upgrade. Until then let no monitoring tool read SHOW SLAVE STATUS during a run; Hawser does not.",
        {
            (10, 6): (10, 6, 28), (10, 11): (10, 11, 19), (11, 4): (11, 4, 13), (11, 8): (11, 8, 9),
            (12, 3): (12, 3, 3),
        },
    ),
    Defect(
        "MDEV-38260",
        "A cluster that receives a channel by GTID can hang.",
        "Upgrade, or let the channels follow file and position (MASTER_USE_GTID=no).",
        {(10, 11): (10, 11, 19), (11, 4): (11, 4, 13), (11, 8): (11, 8, 9), (12, 3): (12, 3, 3)},
        {
            (10, 6): (10, 6, 21), (10, 11): (10, 11, 11), (11, 4): (11, 4, 5), (11, 8): (11, 8, 0),
            (12, 0): (12, 0, 0), (12, 1): (12, 1, 0), (12, 2): (12, 2, 0), (12, 3): (12, 3, 0),
        },
        Concerns.GTID_CHANNELS,
    ),
    Defect(
        GTID_ON_ONE_NODE,
        "gtid_slave_pos is stored on the channel's holder alone: on its neighbours it is older than the data.",
        "Upgrade, or let the channels follow file and position (MASTER_USE_GTID=no).",
        {(10, 5): (10, 5, 28), (10, 6): (10, 6, 15), (10, 11): (10, 11, 5)},
        concerns=Concerns.GTID_CHANNELS,
    ),
    Defect(
        "MDEV-34924",
        "The table of gtid_slave_pos is copied by Galera, apart from the data that it belongs to.",
        "Upgrade, or let the channels follow file and position (MASTER_USE_GTID=no).",
        {(10, 6): (10, 6, 21), (10, 11): (10, 11, 11), (11, 4): (11, 4, 5)},
        {(10, 6): (10, 6, 15), (10, 11): (10, 11, 5), (11, 4): (11, 4, 0)},
        Concerns.GTID_CHANNELS,
    ),
    Defect(
        "MDEV-39788",
        "An upgrade of a replica to this release turns a channel by file and position into one by GTID.",
        "Set MASTER_USE_GTID=no again before the channel starts, or upgrade to 12.3.3 at once.",
        {(12, 3): (12, 3, 3)},
        {(12, 3): (12, 3, 2)},
    ),
    Defect(
        "MDEV-38843",
        "A node may stay in its cluster although it could not apply a transaction: its data differs from then on.",
        "Upgrade. After an error of an applier compare the node with its neighbours, or give it a full state transfer.",
        {(10, 6): (10, 6, 28), (10, 11): (10, 11, 19), (11, 4): (11, 4, 13), (11, 8): (11, 8, 9)},
    ),
    Defect(
        "MDEV-39011",
        "A clean stop of a node with a channel may not end.",
        "Upgrade, or set wsrep_restart_slave=OFF. Stop the channel before the node.",
        {(10, 11): (10, 11, 17), (11, 4): (11, 4, 11), (11, 8): (11, 8, 7)},
        concerns=Concerns.RESTARTS_CHANNELS,
        is_severe=False,
    ),
    Defect(
        "MDEV-32115",
        "A full state transfer by rsync damages the copy of a table with a FULLTEXT index.",
        "Upgrade, or set wsrep_sst_method=mariabackup.",
        {(10, 11): (10, 11, 17), (11, 4): (11, 4, 11), (11, 8): (11, 8, 7)},
        concerns=Concerns.RSYNC,
    ),
    Defect(
        "MDEV-28233",
        "A state transfer that is configured to be encrypted may go in clear text, without a word.",
        "Check on the network that it is encrypted, or upgrade to 12.3.3.",
        {(12, 3): (12, 3, 3)},
        concerns=Concerns.UNSEEN,
        is_severe=False,
    ),
    Defect(
        "galera-mistyped-option",
        "A mistyped option of the provider ends in a full state transfer; a counter of an earlier history may last.",
        _UPGRADE,
        {(26, 4): (26, 4, 25)},
        is_severe=False,
        is_of_provider=True,
    ),
    Defect(
        "galera-incomplete-ist",
        "An incremental state transfer may leave out write-sets: the node that joins then lacks them.",
        "Upgrade. Until then compare a node that joined by IST with its neighbours.",
        {(26, 4): (26, 4, 27)},
        is_severe=False,
        is_of_provider=True,
    ),
)  # fmt: skip
"""As trackers and release notes say; read, not tried. Galera's are no warnings: most systems have no later one."""
BY_ID = {one.id: one for one in DEFECTS}


def release_of(version: str | None) -> Release | None:
    """`10.11.19-MariaDB-log` to (10, 11, 19)."""
    found = _VERSION.match(version or "")
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def provider_release_of(text: str | None) -> Release | None:
    """`26.4.23(r1234)`, or `4.23(r1234)` as some builds write it, to (26, 4, 23)."""
    found = _PROVIDER.match(text or "")
    return None if found is None else (26, 4, int(found[1]))


def written(release: Release) -> str:
    """As people write it, with all of its numbers."""
    return ".".join(map(str, release))


def defects_of(flavor: str | None, version: str | None, provider: str | None) -> tuple[Defect, ...]:
    """The defects of a MariaDB and its provider; those of an unknown release are unknown, and not said."""
    if flavor != "mariadb":
        return ()
    server, galera = release_of(version), provider_release_of(provider)
    found = []
    for one in DEFECTS:
        release = galera if one.is_of_provider else server
        if release is not None and one.is_in(release):
            found.append(one)
    return tuple(found)


def changes_channels(sql: str) -> bool:
    """Whether a statement of a run stops, starts, changes or removes a channel."""
    return _CHANGES_CHANNELS.match(sql) is not None


def may_end_when_read(version: str | None) -> bool:
    """Whether a server may end while a channel of it is changed and read; so, too, where its release is unknown."""
    release = release_of(version)
    return release is None or (release[:2] >= FIRST and BY_ID[CHANNEL_STATUS].is_in(release))
