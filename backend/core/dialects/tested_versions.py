"""Which servers are supported, which were tried, and how they differ where a link joins two of them.

README and docs/reference/compatibility.md state the same; tests/deploy/test_tested_versions.py compares them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.core.dialects.base import Series

FIRST: Series = (10, 5)
BEYOND: Series = (12, 3)
"""Not supported from here on: the binary log may be kept inside InnoDB, without files and offsets."""
TESTED: dict[Series, str] = {
    (10, 5): "10.5.23",
    (10, 11): "10.11.19",
    (11, 4): "11.4.5",
    (11, 8): "11.8.9",
}
"""By series the release that the tests run on."""


Release = tuple[int, int, int]
ACCEPTABLE: tuple[Series, ...] = ((8, 0), (8, 4))
"""Series of MySQL with Galera with which an administrator may accept plans, although they were never tried."""
ACCEPTABLE_FROM: Release = (8, 0, 23)
"""The first release that knows CHANGE REPLICATION SOURCE, which every plan uses."""


@dataclass(frozen=True, slots=True)
class Family:
    """One server family. With series from `beyond` on no plan is made; `no_plans` is why none is made at all.

    `acceptable` are the series with which plans are made once an administrator accepts that they were never tried.
    """

    name: str
    first: Series
    tested: dict[Series, str]
    beyond: Series | None = None
    why_beyond: str = ""
    no_plans: str = ""
    acceptable: tuple[Series, ...] = ()

    def may_be_accepted(self, release: Release) -> bool:
        """Whether an administrator can accept plans with this release."""
        return release[:2] in self.acceptable and release >= ACCEPTABLE_FROM

    def refusal(self, series: Series, version: str) -> str | None:
        """Why no plan is made with this release; None where plans are made."""
        if self.no_plans:
            return f"{self.name} {version} is watched only: {self.no_plans}"
        if self.beyond is not None and series >= self.beyond:
            return f"{self.name} {version} is watched only: {self.why_beyond}"
        return None


_NEVER_TRIED = "Hawser was never tried with it on a real server"
FAMILIES = {
    "mariadb": Family(
        "MariaDB",
        FIRST,
        TESTED,
        BEYOND,
        f"Hawser was never tried with a release from {BEYOND[0]}.{BEYOND[1]} on, which may keep the binary log inside "
        "InnoDB",
    ),
    "mysql": Family(
        "MySQL",
        (8, 0),
        {(9, 7): "9.7.4"},
        no_plans="without Galera its binary log does not number the transactions of a cluster",
    ),
    "pxc": Family("Percona XtraDB Cluster", (8, 0), {}, no_plans=_NEVER_TRIED, acceptable=ACCEPTABLE),
    "mysql-wsrep": Family("Galera Cluster for MySQL", (8, 0), {}, no_plans=_NEVER_TRIED, acceptable=ACCEPTABLE),
}
"""By the name that `detect_flavor` gives."""
TESTED_PAIRS = frozenset({((11, 8), (10, 11))})
"""Source and older replica whose link was moved on real servers, with no write lost or doubled."""
VERIFIES_WITHOUT_CA: Series = (11, 4)
"""Since then a channel uses TLS and verifies its source unless told otherwise; without a CA by the password."""
HIDDEN: dict[str, Series] = {"replicate_rewrite_db": (10, 11)}
"""Settings that no query shows before a series, although the configuration may have them."""
_SERIES = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Difference:
    """What a source of a series or later writes and a replica before it handles differently."""

    since: Series
    sentence: str


DIFFERENCES = (
    Difference((10, 7), "A table with a UUID column cannot be created on the replica; the channel stops there."),
    Difference(
        (11, 5),
        "A table that is created without COLLATE gets another collation on the replica, without an error. Name the "
        "collation in each CREATE TABLE, or set character_set_collations alike on both sides.",
    ),
    Difference((11, 7), "A VECTOR column stops the channel with error 4161."),
    Difference(
        (11, 8),
        "An UPDATE or DELETE of a table that has generated columns and no primary key stops the channel with error "
        "1032, because the source does not log these columns.",
    ),
)
"""Seen on 10.11.19 and 11.8.9; the series is the one that brought it."""


def series_of(version: str) -> Series:
    """`11.8.9-MariaDB` to (11, 8); ValueError for anything else."""
    found = _SERIES.match(version)
    if found is None:
        raise ValueError(f"{version!r} is not a version")
    return int(found[1]), int(found[2])


def differences(source: Series, replica: Series) -> tuple[str, ...]:
    """What is known of a source that is newer than its replica."""
    return tuple(one.sentence for one in DIFFERENCES if replica < one.since <= source)


def hidden_settings(version: str | None) -> tuple[str, ...]:
    """Settings that a MariaDB of this version cannot tell; none where its version is unknown, as it may tell them.

    A series before the first one is a release of another family.
    """
    found = _SERIES.match(version or "")
    if found is None:
        return ()
    return tuple(name for name, since in HIDDEN.items() if FIRST <= (int(found[1]), int(found[2])) < since)


def leaves_out_generated(version: str | None) -> bool:
    """Whether the row images of UPDATE and DELETE may lack generated columns: 11.4.5 has them, 11.8.9 does not.

    A release between the two is taken for one that may: then sizes are compared with its own kind alone.
    """
    found = _SERIES.match(version or "")
    return found is not None and (int(found[1]), int(found[2])) > (11, 4)


def shown(series: Series) -> str:
    """(11, 8) as 11.8."""
    return f"{series[0]}.{series[1]}"
