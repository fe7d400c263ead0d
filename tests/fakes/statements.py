"""Reading exactly the statements the MariaDB dialect writes; anything else is a fault of the test or the core."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.core.positions import FilePosition
from backend.core.probe import CREATE_SQL

_SLAVE = re.compile(r"(STOP|START) SLAVE(?: '(\w*)')?(?: (IO_THREAD|SQL_THREAD))?")
_RESET = re.compile(r"RESET SLAVE(?: '(\w*)')? ALL")
_CHANGE = re.compile(r"CHANGE MASTER(?: '(\w*)')? TO\n(.+)", re.DOTALL)
_PART = re.compile(r"(\w+)=('(?:[^']*)'|\([^)]*\)|[^,\s]+)")
_GTID = re.compile(
    r"(BEGIN NOT ATOMIC\n  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SET GLOBAL gtid_strict_mode=ON; RESIGNAL; END;\n"
    r"  SET GLOBAL gtid_strict_mode=OFF;\n  )?SET GLOBAL gtid_slave_pos='([0-9,-]*)'"
    r"(;\n  SET GLOBAL gtid_strict_mode=ON;\nEND)?"
)
_SETTING = re.compile(
    r"SET GLOBAL (read_only|wsrep_on|wsrep_reject_queries|rpl_semi_sync_master_enabled)=(ON|OFF|ALL|NONE)"
)
_OPTION = re.compile(r"SET GLOBAL wsrep_provider_options = '([a-z_.]+)=([^']*)'")
_VARIABLE = re.compile(r"SET GLOBAL (\w+) = '?([^']*)'?")
_EVENT = re.compile(r"ALTER DEFINER='[^']*'@'[^']*' EVENT `(\w+)`\.`(\w+)` (ENABLE|DISABLE ON SLAVE)")
_READ = re.compile(r"SELECT @@GLOBAL\.(\w+) AS value")
_GTID_AT = re.compile(r"SELECT BINLOG_GTID_POS\('([^']+)', (\d+)\) AS gtid")
_PROBE = re.compile(
    r"REPLACE INTO hawser\.probe \(link_id, direction, token, written_on, written_at\) "
    r"VALUES \('([^']+)', '([^']+)', '([^']+)', '([^']+)', UTC_TIMESTAMP\(6\)\)"
)
_EVENTS = re.compile(r"SHOW (BINLOG|RELAYLOG(?: '(\w*)')?) EVENTS IN '([^']+)'(?: FROM (\d+))? LIMIT (?:(\d+),)?(\d+)")
_TOKEN = re.compile(r"SELECT token FROM hawser\.probe WHERE link_id='([^']+)' AND direction='([^']+)'")
_PROBES = re.compile(
    r"SELECT link_id, token, written_on, written_at FROM hawser\.probe WHERE link_id='([^']+)' ORDER BY written_at"
)

OPTION_OF = {
    "MASTER_CONNECT_RETRY": "Connect_Retry",
    "MASTER_HEARTBEAT_PERIOD": "Slave_heartbeat_period",
    "MASTER_DELAY": "SQL_Delay",
    "MASTER_SSL": "Master_SSL_Allowed",
    "MASTER_SSL_CA": "Master_SSL_CA_File",
    "MASTER_SSL_CAPATH": "Master_SSL_CA_Path",
    "MASTER_SSL_CERT": "Master_SSL_Cert",
    "MASTER_SSL_KEY": "Master_SSL_Key",
    "MASTER_SSL_CIPHER": "Master_SSL_Cipher",
    "MASTER_SSL_CRL": "Master_SSL_Crl",
    "MASTER_SSL_CRLPATH": "Master_SSL_Crlpath",
    "MASTER_SSL_VERIFY_SERVER_CERT": "Master_SSL_Verify_Server_Cert",
}
_SWITCHES = {"Master_SSL_Allowed", "Master_SSL_Verify_Server_Cert"}


@dataclass(frozen=True, slots=True)
class Statement:
    """One parsed statement: `verb` and its parts."""

    verb: str
    name: str = ""
    thread: str | None = None
    parts: Mapping[str, str] | None = None


def parse_change(sql: str) -> Statement:
    """A changing statement; AssertionError for one the dialect cannot have written."""
    if match := _SLAVE.fullmatch(sql):
        return Statement(match[1], match[2] or "", match[3])
    if match := _SETTING.fullmatch(sql):
        return Statement("SETTING", parts={"variable": match[1], "value": match[2]})
    if match := _OPTION.fullmatch(sql):
        return Statement("OPTION", parts={"option": match[1], "value": match[2]})
    if match := _VARIABLE.fullmatch(sql):
        return Statement("SETTING", parts={"variable": match[1], "value": match[2]})
    if match := _EVENT.fullmatch(sql):
        return Statement("EVENT", parts=dict(zip(("schema", "name", "change"), match.groups(), strict=True)))
    if match := _RESET.fullmatch(sql):
        return Statement("RESET", match[1] or "")
    if match := _CHANGE.fullmatch(sql):
        parts = {key: value.strip("'") for key, value in _PART.findall(match[2])}
        return Statement("CHANGE", match[1] or "", parts=parts)
    if sql in CREATE_SQL:
        return Statement("CREATE", sql.split()[1])
    if match := _PROBE.fullmatch(sql):
        return Statement("PROBE", parts=dict(zip(("link", "direction", "token", "node"), match.groups(), strict=True)))
    if (match := _GTID.fullmatch(sql)) and bool(match[1]) == bool(match[3]):
        return Statement("GTID", parts={"position": match[2], "lifts_strict": match[1] or ""})
    raise AssertionError(f"not a statement of the dialect: {sql!r}")


def parse_variable(sql: str) -> str | None:
    """The variable that is asked for."""
    match = _READ.fullmatch(sql)
    return match[1] if match else None


def parse_gtid_at(sql: str) -> FilePosition | None:
    """The place whose GTID state is asked for."""
    match = _GTID_AT.fullmatch(sql)
    return FilePosition(match[1], int(match[2])) if match else None


def options_of(parts: Mapping[str, str]) -> dict[str, str]:
    """The settings of a CHANGE MASTER under the status column names; KeyError where one is not stated."""
    found = {column: parts[key] for key, column in OPTION_OF.items()}
    found |= {
        "Using_Gtid": "Slave_Pos" if parts["MASTER_USE_GTID"] == "slave_pos" else "No",
        "Replicate_Do_Domain_Ids": parts["DO_DOMAIN_IDS"].strip("()"),
        "Replicate_Ignore_Domain_Ids": parts["IGNORE_DOMAIN_IDS"].strip("()"),
    }
    return {c: ("Yes" if v == "1" else "No") if c in _SWITCHES else v for c, v in found.items()}


def ids_of(text: str) -> tuple[int, ...]:
    """`(11,12)` to numbers."""
    return tuple(int(part) for part in text.strip("()").split(",") if part)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for events."""

    relay_of: str | None
    file: str
    start: int
    skip: int
    limit: int


def parse_events(sql: str) -> Asked | None:
    """SHOW BINLOG EVENTS or SHOW RELAYLOG EVENTS, None for anything else."""
    match = _EVENTS.fullmatch(sql)
    if match is None:
        return None
    relay = (match[2] or "") if match[1].startswith("RELAYLOG") else None
    return Asked(relay, match[3], int(match[4] or 4), int(match[5] or 0), int(match[6]))


def parse_token(sql: str) -> tuple[str, str] | None:
    """The probe's read-back: (link, direction)."""
    match = _TOKEN.fullmatch(sql)
    return (match[1], match[2]) if match else None


def parse_probes(sql: str) -> str | None:
    """The link whose probes are asked for."""
    match = _PROBES.fullmatch(sql)
    return match[1] if match else None


def fill(sql: str, value_of: Callable[[str], str]) -> str:
    """Secrets filled in."""
    return re.sub(r"\{\{secret:([a-z_]+)\}\}", lambda m: value_of(m[1]), sql)
