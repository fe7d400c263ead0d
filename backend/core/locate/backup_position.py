"""The position of a backup as mariadb-backup records it: the donor's binlog position, or the cluster's seqno.

`xtrabackup_binlog_info` holds `FILE<TAB>OFFSET<TAB>[GTID]`, `xtrabackup_galera_info` holds `UUID:SEQNO [DOMAIN or
GTID]` (newer releases name them mariadb_backup_…). Both forms are parsed as the file has them, also both
together as `cat` prints them. The seqno then counts, as it is the same on every node.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.core.positions import FilePosition, PositionError, Seqno

FORMS = "FILE OFFSET of xtrabackup_binlog_info, or UUID:SEQNO of xtrabackup_galera_info"
_COORDINATE = re.compile(r"(\S+)\s+([0-9]{1,18})(\s+[0-9,\-]+)?")
_GALERA = re.compile(r"([0-9a-fA-F\-]{36}):([0-9]{1,18})(\s+[0-9,\-]+)?")


@dataclass(frozen=True, slots=True)
class BackupPosition:
    """One of the two: a position in the donor's own binary log, or the survivor's seqno at the time of the backup."""

    position: FilePosition | None = None
    seqno: Seqno | None = None

    @classmethod
    def parse(cls, text: str) -> BackupPosition:
        """Parse a line of either file, or one line of each; PositionError names what is wrong."""
        lines = [line.strip() for line in text.splitlines() if line.strip()] or [text.strip()]
        found = [_parsed(line) for line in lines]
        kinds = {one.seqno is None for one in found}
        if len(found) > 2 or len(kinds) != len(found):
            raise PositionError(f"{len(found)} positions were given. Enter those of one backup: {FORMS}")
        return next((one for one in found if one.seqno is not None), found[0])

    def __str__(self) -> str:
        return str(self.position) if self.position is not None else str(self.seqno)


def _parsed(plain: str) -> BackupPosition:
    if match := _GALERA.fullmatch(plain):
        return BackupPosition(seqno=Seqno(match[1].lower(), int(match[2])))
    if match := _COORDINATE.fullmatch(plain):
        return BackupPosition(position=FilePosition(match[1], int(match[2])))
    raise PositionError(f"{plain[:80]!r} is not a backup position. Enter {FORMS}")
