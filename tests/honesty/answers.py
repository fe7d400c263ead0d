"""What servers answer, in a form in which the model's and the real ones' can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.dialects.base import ChangeSource, ChannelSettings, ChannelTls
from backend.core.dialects.mariadb_change import change_master
from backend.core.locate.groups import Group
from backend.core.positions import FilePosition

NODES = ("a1", "a2", "b1")
_TAG = re.compile(r"\bt(\d+)\b")


@dataclass(frozen=True, slots=True)
class Written:
    """A group of the trace in one log: its number, the node that wrote it, its kind, and whether it has a Xid."""

    number: int
    origin: str
    kind: str
    has_xid: bool


@dataclass(frozen=True, slots=True)
class State:
    """Of every node that lives: what its log still holds of the trace, its channel's threads, and its read_only."""

    logs: Mapping[str, tuple[Written, ...]]
    channels: Mapping[str, tuple[str, str]]
    read_only: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """A statement's answer: its error number (0: none) and the numbers of its notes."""

    errno: int = 0
    notes: frozenset[int] = frozenset()


def statement_of(what: str, number: int) -> str:
    """The text of a write; its number is how both sides' logs are compared."""
    if what == "ddl":
        return f"CREATE TABLE bank.t{number} (id INT PRIMARY KEY)"
    return f"INSERT INTO bank.markers VALUES (MD5('t{number}'), 'h')"


def written(groups: Iterable[Group], names: Mapping[int, str]) -> tuple[Written, ...]:
    """The trace's own groups."""
    found = []
    for group in groups:
        tag = _TAG.search(group.statement or "")
        if tag is not None:
            found.append(Written(int(tag.group(1)), names[group.server_id], group.kind, group.xid is not None))
    return tuple(found)


def point(host: str, port: int, user: str, at: FilePosition, ignored: tuple[int, ...]) -> str:
    """CHANGE MASTER as Hawser writes it; the password is a mark."""
    settings = ChannelSettings(2, "2.000", 0, ChannelTls())
    change = ChangeSource("", host, port, user, at, ignored, settings)
    return change_master(change)
