"""What was measured, and the article's figures beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class TransferRun:
    """An SST that was run."""

    case: str
    seconds: float
    data_bytes: float
    source: str
    note: str = ""


_run = TransferRun
LAB = "measured: MariaDB 10.11.19, mariabackup, tmpfs, one run"
LAB_ON_DISK = "measured: MariaDB 10.11.19, mariadb-backup, disk, one run under a modest load"
LAB_BUSY = "measured: MariaDB 10.11.19, mariadb-backup, disk, one run on a busy machine: compare with each other only"
ARTICLE = "article of 2015: 16 cores"

RUNS = (
    _run("Idle donor, no distance", 33.7, 1e9, LAB, "1.15 GB sent; prepare 0.15 s"),
    _run("Four writers at full speed, no distance", 36.1, 1e9, LAB, "76,600 commits; copy 26 s, prepare 1.3 s"),
    _run("Idle donor, 50 ms round trip", 45.9, 1e9, LAB, "1.24 GB sent"),
    _run("Idle donor, 50 ms, 200 Mbit/s", 67.0, 1e9, LAB, "a commit over the same line took 107 ms instead of 52"),
    _run("Dedicated donor, no distance", 28, 3e9, LAB_ON_DISK, "prepare 0.3 s; writers' commit p95 10 ms instead of 2"),
    _run("The writer's node is the donor", 35, 3e9, LAB_ON_DISK, "writers' commit p95 12 ms"),
    _run("Dedicated donor, zstd at both ends", 38, 3e9, LAB_ON_DISK, "no thin line: slower than without"),
    _run("Dedicated donor, 50 ms, 200 Mbit/s", 57, 0.8e9, LAB_ON_DISK, "commit p95 189 ms instead of 83"),
    _run("And with zstd at both ends", 34, 0.8e9, LAB_ON_DISK, "half of the data can be compressed"),
    _run("Dedicated donor, 50 ms, 200 Mbit/s, busy machine", 66, 0.8e9, LAB_BUSY, "writers' commit p95 223 ms"),
    _run("And with rlimit of 12 MiB/s", 102, 0.8e9, LAB_BUSY, "half of the line; commit p95 172 ms"),
    _run("And with pigz at both ends instead", 64, 0.8e9, LAB_BUSY, "two threads; commit p95 196 ms"),
    _run("And with zstd at both ends instead", 45, 0.8e9, LAB_BUSY, "two threads; commit p95 196 ms"),
    _run("As shipped", 51 * 60, 50e9, ARTICLE),
    _run("With 20 GB of memory for the prepare", 30 * 60, 50e9, ARTICLE, "today the joiner's buffer pool is used"),
    _run("And with 32 appliers", 25.5 * 60, 50e9, ARTICLE),
    _run("And with parallel compression at both ends", 21 * 60, 50e9, ARTICLE, "starves the donor of processors"),
    _run("And with a dedicated donor", 18.5 * 60, 50e9, ARTICLE),
)


@dataclass(frozen=True, slots=True)
class Tuning:
    """One thing to set or check before an SST."""

    key: str
    title: str
    what: str
    evidence: Annotated[str, "what was measured of it, where, and what was not"]


CHECKLIST = (
    Tuning(
        "donor",
        "Name the donor",
        "Set wsrep_sst_donor of the joiner to a node that is neither the writer nor holds a channel, in its segment. "
        "A comma after the name allows the others, too.",
        "Article: 21 to 18.5 min. Measured, 3 GB: 28 s, and 35 s with the writer's node as the donor.",
    ),
    Tuning(
        "memory",
        "Memory for the prepare",
        "Today's script passes the joiner's innodb_buffer_pool_size as --use-memory. Set use-memory in [sst] only "
        "where the pool is small.",
        "Article: 51 to 30 min, the largest gain. Here: the log shows --use-memory with the size of the pool. "
        "Measured, 3 GB: the prepare took 0.3 s with 256 MB and 1.6 s with 32 MB.",
    ),
    Tuning(
        "appliers",
        "Appliers to catch up",
        "Raise wsrep_slave_threads of the joiner before it starts, up to wsrep_cert_deps_distance.",
        "Article: 30 to 25.5 min with 32. Measured, 8 instead of 2: no gain. Under a modest load the joiner caught up "
        "within 0.4 s.",
    ),
    Tuning(
        "parallel",
        "Threads of the copy",
        "Set backup-threads in [sst]: the script passes it as --parallel for backup and move.",
        "Read in the script. Measured on one disk, 4 threads: no gain (34 s instead of 28 s for 3 GB).",
    ),
    Tuning(
        "compression",
        "Compression on a thin line",
        "Set compressor and decompressor in [sst] (pigz or zstd), and install them on both ends first: a missing one "
        "fails with a vague error.",
        "Article: 25.5 to 21 min, and the donor starved. Measured with zstd over 200 Mbit/s: 34 s instead of 57 s; "
        "without a thin line 38 s instead of 28 s. pigz on two busy cores: 64 s instead of 66 s, where zstd took 45 s; "
        "without a thin line 109 s instead of 58 s.",
    ),
    Tuning(
        "limit",
        "A limit for the sake of commits",
        "Where commits use the same line, set rlimit in [sst]; it needs pv on the donor.",
        "Measured at 200 Mbit/s on a busy machine: half of the line took 102 s instead of 66 s, and the p95 of commits "
        "was 172 ms instead of 223 (102 without a transfer). Without pv the limit is dropped, which only the "
        "donor's log says.",
    ),
    Tuning(
        "balancer",
        "Balancers leave the donor out",
        "A donor may fall behind without flow control: balancers must treat it as down until it is Synced.",
        "Article. Not measured here.",
    ),
    Tuning(
        "queue",
        "Disk for what is written meanwhile",
        "The joiner stores write-sets until it catches up. Beyond its gcache.size they take pages on its disk.",
        "Computed from the write rate. The pages were not measured.",
    ),
    Tuning(
        "binlog",
        "The joiner's binary log starts again",
        "After an SST the node has no older binary logs. It can prove no position before that, and holds no channel.",
        "Measured: the script removes the received binary logs.",
    ),
)
