"""Takes out of answers what a recording must not tell: hosts, users, paths, passwords and the values of statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from backend.core.dialects.base import Row
from backend.core.recording.columns import Rule, is_safe, rule_of
from backend.core.recording.event_texts import EventTexts
from backend.core.recording.stand_ins import Kind, StandIns

REMOVED = "removed"
_WORD = re.compile(r"[^,.%\s`'\"()<>-]+")
_OPTION = re.compile(r"\s*(?P<name>[a-z][a-z0-9_.]*)\s*=\s*(?P<value>.*?)\s*", re.DOTALL)
_MEASURE = re.compile(r"\d+[KMGT]?|P[0-9YMDTHS.]+", re.IGNORECASE)
_ACCOUNT = re.compile(r"'(?P<user>.*)'@'(?P<host>.*)'", re.DOTALL)
Answers = Mapping[str, Sequence[Row]]


class Redaction:
    """Of one recording: what is replaced once is replaced alike in all of its answers.

    `hosts` and `users` are known beforehand: the address connected to and the account used.
    """

    def __init__(
        self, *, hosts: Iterable[str], users: Iterable[str], keeps_names: bool = False, replaces_uuids: bool = False
    ) -> None:
        self.stand_ins = StandIns(replaces_uuids=replaces_uuids)
        self._texts = EventTexts(self.stand_ins, keeps_names=keeps_names)
        for kind, values in ((Kind.HOST, hosts), (Kind.USER, users)):
            for value in values:
                self.stand_ins.of(kind, value)
        self._by_rule: dict[Rule, Callable[[str], str]] = {
            Rule.KEPT: str,
            Rule.HOST: lambda value: self.stand_ins.of(Kind.HOST, value),
            Rule.ADDRESSES: lambda value: ",".join(map(self.stand_ins.address, map(str.strip, value.split(",")))),
            Rule.USER: lambda value: self.stand_ins.of(Kind.USER, value),
            Rule.ACCOUNT: self._account,
            Rule.LOG: self.stand_ins.log_file,
            Rule.PATH: lambda value: self.stand_ins.of(Kind.PATH, value),
            Rule.CLUSTER: lambda value: self.stand_ins.of(Kind.CLUSTER, value),
            Rule.CHANNEL: lambda value: self.stand_ins.of(Kind.CHANNEL, value),
            Rule.NAMES: lambda value: _WORD.sub(lambda found: self._texts.name(found[0]), value),
            Rule.STATE: self.stand_ins.swept,
            Rule.PROVIDER: _provider,
            Rule.UNKNOWN: lambda value: value if is_safe(value) else REMOVED,
        }

    def answers(self, answers: Answers) -> dict[str, list[Row]]:
        """All of them, twice: a text may name a host that is known from a later answer only."""
        self._once(answers)
        return self._once(answers)

    def _once(self, answers: Answers) -> dict[str, list[Row]]:
        return {name: [self._row(row) for row in rows] for name, rows in answers.items()}

    def _row(self, row: Row) -> Row:
        if row.keys() == {"Variable_name", "Value"}:
            return {**row, "Value": self._value(str(row["Variable_name"]), row["Value"])}
        if "Event_type" in row and "Info" in row:
            return {name: self._of_event(row, name) for name in row}
        return {name: self._value(name, value) for name, value in row.items()}

    def _of_event(self, row: Row, name: str) -> object:
        if name == "Event_type":
            return row[name]
        if name == "Info" and row[name] is not None:
            return self.stand_ins.uuids(self._texts.redacted(str(row["Event_type"]), str(row[name])))
        return self._value(name, row[name])

    def _value(self, name: str, value: object) -> object:
        """NULL stays; so does the word, which performance_schema shows for it."""
        if value is None or value == "NULL":
            return value
        return self.stand_ins.uuids(self._by_rule[rule_of(name)](str(value)))

    def _account(self, value: str) -> str:
        found = _ACCOUNT.fullmatch(value)
        if found is None:
            return self.stand_ins.of(Kind.USER, value)
        return f"'{self.stand_ins.of(Kind.USER, found['user'])}'@'{self.stand_ins.of(Kind.HOST, found['host'])}'"


def _provider(text: str) -> str:
    """Galera's options: names stay, of the values those that are numbers, sizes, times and switches."""
    found = filter(None, (_OPTION.fullmatch(part) for part in text.split(";")))
    return "; ".join(f"{one['name']} = {_option(one['value'])}" for one in found)


def _option(value: str) -> str:
    return value if is_safe(value) or _MEASURE.fullmatch(value) else REMOVED
