"""What a session and a dump connection of MariaDB set at their beginning."""

from __future__ import annotations

from backend.core.dialects.base import SessionForms
from backend.core.dialects.galera import CAUSAL_READ, NO_SYNC_WAIT

SESSIONS = SessionForms(
    read_only="tx_read_only=1, max_statement_time={seconds}",
    dump_settings=(
        f"SET SESSION {NO_SYNC_WAIT}, @master_binlog_checksum=@@GLOBAL.binlog_checksum, @mariadb_slave_capability=4"
    ),
    sends_annotations=True,
    causal_read=(CAUSAL_READ,),
)
