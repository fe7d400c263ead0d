"""An audit record as a message of syslog (RFC 5424)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_FACILITY_LOG_AUDIT: Final = 13
_WARNING, _NOTICE = 4, 5
_TROUBLE: Final = ("refused", "failed", "throttled", "damaged", "lost", "rejected")
STRUCTURE: Final = "hawser@32473"
"""32473 is the enterprise number that RFC 5612 reserves for documentation; the project has none of its own."""
LONGEST: Final = 60_000
"""Bytes of a record's JSON: a socket of the host refuses a longer message, and that would stop all after it."""
_PARAMETERS: Final = ("seq", "actor", "action", "link_id", "run_id", "target", "request_id", "source_ip", "hash")


def message(record: Mapping[str, Any], *, host: str, process_id: int) -> bytes:
    """The message of a record as `selectors.as_plain` gives it; its text is the whole record as JSON.

    Facts that are too long for a message are left out, with their size; the database and the file have them.
    Control characters in a parameter are replaced: a receiver that cuts at line ends must not see two messages.
    """
    severity = _WARNING if any(word in record["action"] for word in _TROUBLE) else _NOTICE
    parameters = " ".join(f'{name}="{_escaped(record[name])}"' for name in _PARAMETERS if record[name] != "")
    text = _json(record)
    if len(text.encode()) > LONGEST:
        text = _json({**record, "facts": {"left_out_bytes": len(_json(record["facts"]).encode())}})
    return _message(severity, record["at"], host, process_id, record["action"], f"[{STRUCTURE} {parameters}]", text)


def head_message(line: str, at: str, *, host: str, process_id: int) -> bytes:
    """The signed head of the log: what came before it can no longer be removed unseen."""
    return _message(_NOTICE, at, host, process_id, "console:audit:head", f"[{STRUCTURE}]", line)


def frame(content: bytes) -> bytes:
    """Octet counting (RFC 5425, RFC 6587): the length, a space, the message."""
    return b"%d %s" % (len(content), content)


def _message(severity: int, at: str, host: str, process_id: int, action: str, structured_data: str, text: str) -> bytes:
    priority = _FACILITY_LOG_AUDIT * 8 + severity
    header = f"<{priority}>1 {at} {_word(host, 255)} hawser {process_id} {_word(action, 32)}"
    return f"{header} {structured_data} ".encode() + b"\xef\xbb\xbf" + text.encode()


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, sort_keys=True)


def _word(text: str, longest: int) -> str:
    """Printable ASCII without spaces, as header fields must be; `-` stands for nothing."""
    return "".join(c if "!" <= c <= "~" else "_" for c in text)[:longest] or "-"


def _escaped(value: object) -> str:
    text = "".join(c if c.isprintable() else "\ufffd" for c in str(value))
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("]", "\\]")
