"""What a session and a dump connection of MySQL set at their beginning; a time limit ends only a SELECT.

It has no SET STATEMENT, so a causal read is three statements; written from documentation and never tried.
"""

from __future__ import annotations

from backend.core.dialects.base import SessionForms
from backend.core.dialects.galera import NO_SYNC_WAIT

_NO_SYNC_WAIT = f"SET SESSION {NO_SYNC_WAIT}"
SESSIONS = SessionForms(
    read_only="transaction_read_only=1, max_execution_time={milliseconds}",
    dump_settings=(
        "SET @master_binlog_checksum=@@GLOBAL.binlog_checksum, @source_binlog_checksum=@@GLOBAL.binlog_checksum"
    ),
    sends_annotations=False,
    causal_read=("SET SESSION wsrep_sync_wait=1", "SELECT 1", _NO_SYNC_WAIT),
    no_sync_wait=_NO_SYNC_WAIT,
)
