"""Kinds of settings: each turns text into a value, or raises ValueError with what is wrong and the remedy.

Kinds of secrets never quote the text in a message, because messages are logged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"", "0", "false", "no", "off"})


class Kind(Protocol):
    """`allowed` describes for users what `parse` accepts; `relaxed` is true in demo and debug."""

    @property
    def allowed(self) -> str:
        """The accepted values, as a phrase."""

    def parse(self, text: str, *, relaxed: bool) -> Any:
        """The value; ValueError states what is wrong and what to write instead."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A switch; anything but a plain yes or no is refused."""

    allowed: str = "1 or 0"

    def parse(self, text: str, *, relaxed: bool) -> bool:
        """Whether it is on."""
        if text.lower() not in _TRUE | _FALSE:
            raise ValueError(f"must be 1 or 0, not {text!r}")
        return text.lower() in _TRUE


@dataclass(frozen=True, slots=True)
class Number:
    """A number with both ends of its range."""

    lowest: float
    highest: float
    whole: bool = False

    @property
    def allowed(self) -> str:
        """The range."""
        return f"{'whole number' if self.whole else 'number'} from {self.lowest:g} to {self.highest:g}"

    def parse(self, text: str, *, relaxed: bool) -> float:
        """The number; not-a-number and infinity are outside of every range."""
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not self.lowest <= value <= self.highest or (self.whole and value != int(value)):
            raise ValueError(f"must be a {self.allowed}, not {text!r}")
        return int(value) if self.whole else value


@dataclass(frozen=True, slots=True)
class Text:
    """Any text, or only text that matches `pattern`."""

    allowed: str = "text"
    pattern: str = ".*"

    def parse(self, text: str, *, relaxed: bool) -> str:
        """The text as it is."""
        if not re.fullmatch(self.pattern, text):
            raise ValueError(f"must be {self.allowed}, not {text!r}")
        return text


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    choices: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The words."""
        return "one of " + ", ".join(choice for choice in self.choices if choice)

    def parse(self, text: str, *, relaxed: bool) -> str:
        """The word in its own case."""
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise ValueError(f"must be {self.allowed}, not {text!r}")


@dataclass(frozen=True, slots=True)
class TextList:
    """A comma-separated list without blanks; `check` raises ValueError for an item that is not allowed."""

    allowed: str
    check: Callable[[str, bool], None]

    def parse(self, text: str, *, relaxed: bool) -> list[str]:
        """The items; the message names the first one that is wrong."""
        items = split(text)
        for item in items:
            self.check(item, relaxed)
        return items


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret. It is never shown; `parse_secret` decides what is accepted."""

    allowed: str
    parse_secret: Callable[[str, bool], Any]

    def parse(self, text: str, *, relaxed: bool) -> Any:
        """The secret, or a list of them."""
        return self.parse_secret(text, relaxed)


@dataclass(frozen=True, slots=True)
class Url:
    """An address that may hold a password, which is masked where it is shown."""

    allowed: str
    check: Callable[[str], None]

    def parse(self, text: str, *, relaxed: bool) -> str:
        """The address as it is."""
        self.check(text)
        return text


def split(text: str) -> list[str]:
    """Items of a comma-separated list, without blanks."""
    return [part.strip() for part in text.split(",") if part.strip()]


@dataclass(frozen=True, slots=True)
class Setting:
    """`default` and `relaxed_default` (demo and debug; None means the same) are text, as in the environment.

    `required_by` names the processes that do not start without the setting.
    """

    name: str
    kind: Kind
    default: str
    description: str
    relaxed_default: str | None = None
    required_by: tuple[str, ...] = ()

    def default_text(self, *, relaxed: bool) -> str:
        """The value if nothing is set."""
        return self.relaxed_default if relaxed and self.relaxed_default is not None else self.default
