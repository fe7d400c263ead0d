"""Statements that stop, start, remove and place a channel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
from backend.core.dialects.mysql.names import APPLIER_OPTIONS, CONNECTION_OPTIONS
from backend.core.positions import FilePosition, MariadbGtidSet

_EXPECTED_NOTES = ("Note 3083:", "Note 3084:", "Note 1759:", "Note 1760:")
"""Already running, already stopped, and two remarks on each statement with a password (observed on MySQL 9.7.4)."""
_SWITCHES = {"YES": "1", "NO": "0", "1": "1", "0": "0"}
_IS_SWITCH = frozenset({"GET_PUBLIC_KEY", "SOURCE_CONNECTION_AUTO_FAILOVER", "GTID_ONLY", "REQUIRE_ROW_FORMAT"})
_IS_NUMBER = frozenset({"CONNECTION_RETRY_COUNT", "ZSTD_COMPRESSION_LEVEL"})
_IS_NULL_WHERE_UNSET = frozenset({"TLS_CIPHERSUITES", "PRIVILEGE_CHECKS_USER"})
_KEY_CHECKS = frozenset({"STREAM", "ON", "OFF", "GENERATE"})
_ANONYMOUS, _ANONYMOUS_VALUE = (
    *("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE", "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE"),
)


class MysqlStatements:
    """Every statement of a channel, built from checked parts."""

    def stop_slave(self, name: str, thread: Thread | None = None) -> str:
        """Stop a channel, or one of its threads; returns once the running group has ended."""
        return f"STOP REPLICA{_thread(thread)}{quoting.for_channel(name)}"

    def start_slave(self, name: str, thread: Thread | None = None) -> str:
        """Start a channel, or one of its threads."""
        return f"START REPLICA{_thread(thread)}{quoting.for_channel(name)}"

    def reset_slave_all(self, name: str) -> str:
        """Remove a stopped channel with its relay logs and settings."""
        return f"RESET REPLICA ALL{quoting.for_channel(name)}"

    def change_source(self, change: ChangeSource) -> str:
        """See `change_replication_source`."""
        return change_replication_source(change)

    def set_gtid_position(self, position: MariadbGtidSet | GtidPlaceholder, *, is_strict: bool) -> str:
        """DialectError: a channel with auto-position asks for what the server has not executed."""
        raise DialectError(f"MySQL resumes from its own gtid_executed; no position {position} is set ({is_strict})")

    def is_expected_note(self, warning: str) -> bool:
        """Whether a warning only reports that there was nothing to do; every other warning is a fault."""
        return warning.startswith(_EXPECTED_NOTES)


def change_replication_source(change: ChangeSource) -> str:
    """Set a channel's source with every setting written out: an omitted one would retain an earlier value.

    File and offset are refused while auto-position is on (1776), so each statement states which of the two holds. A
    list of ignored servers is refused with `gtid_mode=ON` (3139), where own transactions are skipped by their GTID;
    the empty list is accepted (all observed on MySQL 9.7.4).
    """
    settings = change.settings
    lines = (
        (
            f"SOURCE_HOST={quoting.host(change.host)}, "
            f"SOURCE_PORT={quoting.number(change.port, 'port', low=1, high=65535)}"
        ),
        (
            f"SOURCE_USER={quoting.plain(change.user, 'user')}, "
            f"SOURCE_PASSWORD={quoting.secret_placeholder(change.password)}"
        ),
        _where(change),
        (
            f"SOURCE_CONNECT_RETRY={quoting.number(settings.connect_retry_s, 'connect retry')}, "
            f"SOURCE_HEARTBEAT_PERIOD={quoting.decimal(settings.heartbeat_period_s, 'heartbeat')}, "
            f"SOURCE_DELAY={quoting.number(settings.delay_s, 'delay')}"
        ),
        ", ".join(_tls(settings.tls)),
        *_further(settings.further),
        f"IGNORE_SERVER_IDS={quoting.id_list(change.ignore_server_ids, 'server id')}",
    )
    return "CHANGE REPLICATION SOURCE TO\n  " + ",\n  ".join(lines) + f"\n {quoting.for_channel(change.name).strip()}"


def _where(change: ChangeSource) -> str:
    position = change.position
    if isinstance(position, FromGtidSlavePos):
        return "SOURCE_AUTO_POSITION=1"
    if not isinstance(position, FilePosition | PositionPlaceholder):
        raise DialectError("CHANGE REPLICATION SOURCE needs a position")
    return (
        f"SOURCE_LOG_FILE={quoting.log_file(position.file)}, "
        f"SOURCE_LOG_POS={quoting.dump_offset(position.offset)}, SOURCE_AUTO_POSITION=0"
    )


def _tls(tls: ChannelTls) -> Iterator[str]:
    """All TLS settings, empty ones too, so that nothing is inherited."""
    yield f"SOURCE_SSL={int(tls.enabled)}"
    yield f"SOURCE_SSL_VERIFY_SERVER_CERT={int(tls.verify_server_cert)}"
    paths = {
        "CA": tls.ca,
        "CAPATH": tls.ca_path,
        "CERT": tls.cert,
        "KEY": tls.key,
        "CIPHER": tls.cipher,
        "CRL": tls.crl,
        "CRLPATH": tls.crl_path,
    }
    yield from (f"SOURCE_SSL_{name}={quoting.plain(value, 'TLS path')}" for name, value in paths.items())


def _further(settings: Mapping[str, str]) -> Iterator[str]:
    """Each remaining setting in its own form; one that is unknown to this dialect is refused, not dropped."""
    options = CONNECTION_OPTIONS | APPLIER_OPTIONS
    for name, value in settings.items():
        if name not in options:
            raise DialectError(f"the channel has a setting {name} that cannot be carried over")
        if name != _ANONYMOUS_VALUE:
            yield f"{options[name]}={_value(name, value, settings)}"


def _value(name: str, value: str, settings: Mapping[str, str]) -> str:
    if name in _IS_SWITCH:
        return _one_of(name, value, _SWITCHES)
    if name in _IS_NUMBER:
        return quoting.number(int(value) if value.isdigit() else -1, name)
    if name in _IS_NULL_WHERE_UNSET and value == "NULL":
        return "NULL"
    if name == "REQUIRE_TABLE_PRIMARY_KEY_CHECK":
        return _one_of(name, value, {known: known for known in _KEY_CHECKS})
    if name == "PRIVILEGE_CHECKS_USER":
        return _account(value)
    if name == _ANONYMOUS:
        given = settings.get(_ANONYMOUS_VALUE, "")
        return value if value in ("OFF", "LOCAL") else quoting.plain(given, "UUID")
    return quoting.plain("" if value == "NULL" else value, name)


def _one_of(name: str, value: str, known: Mapping[str, str]) -> str:
    if value not in known:
        raise DialectError(f"{name} is {value!r}, which cannot be carried over")
    return known[value]


def _account(shown: str) -> str:
    """`'user'@'host'` as the server shows it, built again from its two parts."""
    user, separator, host = shown.rpartition("@")
    if not separator:
        raise DialectError("PRIVILEGE_CHECKS_USER is not an account")
    return f"{quoting.plain(user.strip(_QUOTES), 'user')}@{quoting.plain(host.strip(_QUOTES), 'host')}"


_QUOTES = "'`"


def _thread(thread: Thread | None) -> str:
    return f" {thread.value}" if thread is not None else ""
