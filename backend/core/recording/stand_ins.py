"""Stable stand-ins for what a recording must not tell: the same host is `host-1` wherever it is named."""

from __future__ import annotations

import re
from enum import StrEnum

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_UNSET = "00000000-0000-0000-0000-000000000000"
_LOG_FILE = re.compile(r"(?P<base>.*)\.(?P<number>\d{6,10})", re.DOTALL)


class Kind(StrEnum):
    """What is replaced; the value begins its stand-in."""

    HOST = "host-"
    USER = "user-"
    CLUSTER = "cluster-"
    CHANNEL = "channel-"
    NAME = "name_"
    LOG = "log-"
    PATH = "/path-"
    UUID = _UNSET[:24]


class StandIns:
    """Numbers the values of each kind in the order in which they are met."""

    def __init__(self, *, replaces_uuids: bool = False) -> None:
        self._replaces_uuids = replaces_uuids
        self._known: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}

    def of(self, kind: Kind, value: str) -> str:
        """The stand-in; nothing for nothing."""
        if not value:
            return ""
        known = self._known[kind]
        number = known.setdefault(value.lower() if kind is Kind.HOST else value, len(known) + 1)
        return f"{kind.value}{number:012}" if kind is Kind.UUID else f"{kind.value}{number}"

    def log_file(self, name: str) -> str:
        """The name of a log begins with its server's or its channel's; its number stays."""
        found = _LOG_FILE.fullmatch(name)
        return f"{self.of(Kind.LOG, found['base'])}.{found['number']}" if found else self.of(Kind.LOG, name)

    def address(self, text: str) -> str:
        """`host` or `host:port`, the host replaced."""
        host, colon, port = text.rpartition(":")
        if colon and port.isdigit() and (":" not in host or host.startswith("[")):
            return f"{self.of(Kind.HOST, host.strip('[]'))}:{port}"
        return self.of(Kind.HOST, text.strip("[]"))

    def swept(self, text: str) -> str:
        """A text of the server without the hosts and users that are known so far."""
        named = [(value, kind) for kind in (Kind.HOST, Kind.USER) for value in self._known[kind]]
        for value, kind in sorted(named, key=lambda one: -len(one[0])):
            whole = re.compile(rf"(?<![\w-]){re.escape(value)}(?![\w-])", re.IGNORECASE)
            text = whole.sub(self.of(kind, value), text)
        return text

    def uuids(self, text: str) -> str:
        """The text with its UUIDs replaced where that was asked for; the one of no cluster stays."""
        return _UUID.sub(self._uuid, text) if self._replaces_uuids else text

    def _uuid(self, found: re.Match[str]) -> str:
        return _UNSET if found[0] == _UNSET else self.of(Kind.UUID, found[0].lower())
