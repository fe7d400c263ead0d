"""Statements that stop, start, remove and place a channel."""

from __future__ import annotations

from backend.core.dialects import quoting
from backend.core.dialects.base import (
    ChangeSource,
    ChannelTls,
    DialectError,
    FromGtidSlavePos,
    GtidPlaceholder,
    PositionPlaceholder,
    Thread,
)
from backend.core.positions import FilePosition, MariadbGtidSet

_EXPECTED_NOTES = ("Note 1254:", "Note 1255:", "Note 1449:", "Note 4190:", "Warning 1947:", "Warning 1948:")
"""Already running, already stopped, an event's definer that does not exist, RESET SLAVE ALL resetting Using_Gtid
(observed on MariaDB 10.11.19); and a warning of SET GLOBAL gtid_slave_pos: the own cluster's own transactions are newer
here than on the new source."""


class MariadbStatements:
    """Every statement of a channel, built from checked parts."""

    def stop_slave(self, name: str, thread: Thread | None = None) -> str:
        """Stop a channel, or one of its threads; returns once the running group has ended."""
        return f"STOP SLAVE{quoting.channel(name)}{_thread(thread)}"

    def start_slave(self, name: str, thread: Thread | None = None) -> str:
        """Start a channel, or one of its threads."""
        return f"START SLAVE{quoting.channel(name)}{_thread(thread)}"

    def reset_slave_all(self, name: str) -> str:
        """Remove a stopped channel with its relay logs and settings."""
        return f"RESET SLAVE{quoting.channel(name)} ALL"

    def change_source(self, change: ChangeSource) -> str:
        """See `change_master`."""
        return change_master(change)

    def set_gtid_position(self, position: MariadbGtidSet | GtidPlaceholder, *, is_strict: bool) -> str:
        """See `set_slave_pos`."""
        return set_slave_pos(position, is_strict=is_strict)

    def is_expected_note(self, warning: str) -> bool:
        """Whether a warning says nothing about what the statement was to do; every other warning is a fault."""
        return warning.startswith(_EXPECTED_NOTES)


def change_master(change: ChangeSource) -> str:
    """Set a channel's source with every setting written out: an omitted one would retain an earlier value.

    MASTER_USE_GTID is always written: with GTID mode on, file and offset are ignored with only a warning,
    so a statement has either file and offset or GTID mode. With file and offset there are no domain filters.
    """
    settings = change.settings
    lines = (
        (
            f"MASTER_HOST={quoting.host(change.host)}, "
            f"MASTER_PORT={quoting.number(change.port, 'port', low=1, high=65535)}"
        ),
        (
            f"MASTER_USER={quoting.plain(change.user, 'user')}, "
            f"MASTER_PASSWORD={quoting.secret_placeholder(change.password)}"
        ),
        _where(change),
        (
            f"MASTER_CONNECT_RETRY={quoting.number(settings.connect_retry_s, 'connect retry')}, "
            f"MASTER_HEARTBEAT_PERIOD={quoting.decimal(settings.heartbeat_period_s, 'heartbeat')}, "
            f"MASTER_DELAY={quoting.number(settings.delay_s, 'delay')}"
        ),
        *_tls_lines(settings.tls),
        (
            f"IGNORE_SERVER_IDS={quoting.id_list(change.ignore_server_ids, 'server id')}, "
            f"DO_DOMAIN_IDS={quoting.id_list(settings.do_domain_ids, 'domain id')}, "
            f"IGNORE_DOMAIN_IDS={quoting.id_list(settings.ignore_domain_ids, 'domain id')}"
        ),
    )
    return f"CHANGE MASTER{quoting.channel(change.name)} TO\n  " + ",\n  ".join(lines)


def _where(change: ChangeSource) -> str:
    position, settings = change.position, change.settings
    if isinstance(position, FromGtidSlavePos):
        return "MASTER_USE_GTID=slave_pos"
    if not isinstance(position, FilePosition | PositionPlaceholder):
        raise DialectError("CHANGE MASTER needs a position")
    if settings.do_domain_ids or settings.ignore_domain_ids:
        raise DialectError("domain filters work only in GTID mode, not with file positions")
    return (
        f"MASTER_LOG_FILE={quoting.log_file(position.file)}, "
        f"MASTER_LOG_POS={quoting.dump_offset(position.offset)}, MASTER_USE_GTID=no"
    )


def set_slave_pos(position: MariadbGtidSet | GtidPlaceholder, *, is_strict: bool) -> str:
    """Set what this server counts as applied, in all domains.

    `position` is the new source's own state at the resume position. In the receiving cluster's own
    domain it names what the source has, which is older than the own binlog while both sides write.
    In strict mode the server refuses exactly that (1947), and the source refuses anything newer
    (1236; both observed on MariaDB 10.11.19), so strict mode is off within the statement and always on after it.
    """
    text = position.text if isinstance(position, GtidPlaceholder) else str(position)
    assign = f"SET GLOBAL gtid_slave_pos={quoting.gtids(text)}"
    if not is_strict:
        return assign
    return (
        "BEGIN NOT ATOMIC\n"
        "  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SET GLOBAL gtid_strict_mode=ON; RESIGNAL; END;\n"
        "  SET GLOBAL gtid_strict_mode=OFF;\n"
        f"  {assign};\n"
        "  SET GLOBAL gtid_strict_mode=ON;\n"
        "END"
    )


def _tls_lines(tls: ChannelTls) -> tuple[str, ...]:
    """All TLS settings, empty ones too (on a line of their own), so that nothing is inherited."""
    paths = {
        "CA": tls.ca,
        "CAPATH": tls.ca_path,
        "CERT": tls.cert,
        "KEY": tls.key,
        "CIPHER": tls.cipher,
        "CRL": tls.crl,
        "CRLPATH": tls.crl_path,
    }
    stated = [f"MASTER_SSL_{k}={quoting.plain(v, 'TLS path')}" for k, v in paths.items() if v]
    empty = [f"MASTER_SSL_{k}=''" for k, v in paths.items() if not v]
    switches = [
        f"MASTER_SSL={int(tls.enabled)}",
        f"MASTER_SSL_VERIFY_SERVER_CERT={int(tls.verify_server_cert)}",
    ]
    return tuple(", ".join(line) for line in (switches + stated, empty) if line)


def _thread(thread: Thread | None) -> str:
    return f" {thread.value}" if thread is not None else ""
