"""The page of advice against the rules, the profile and the network settings of hosts."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.configuration.profile import PROFILES
from backend.core.adviser.advice.host_settings.known import NOT_ADVISED, RECOMMENDED, Form, HostSetting
from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.model import AdviceEntry
from backend.core.adviser.advice.registry import SUBJECTS
from tests.support.reference_page import REFERENCE, broken_layout, entries, unanswered

ENTRIES = [entry for entries in SUBJECTS.values() for entry in entries]
LAYOUTS = (Layout.ONE_SITE, Layout.TWO_SITES)
VALUES = "one site | two sites | why | measured effect | source |"


def test_catalogue__entries__say_what_was_measured() -> None:
    for entry in ENTRIES:
        assert entry.is_measured == entry.evidence.startswith("Measured"), entry.code
        assert entry.is_measured or "not measured here" in entry.evidence, entry.code


def test_page__rules__stand_in_their_order_with_title_risk_and_evidence() -> None:
    shown = [(one.subject, one.codes, one.title, one.text.partition("\n")[0]) for one in entries("advice.md")]
    assert shown == [
        (subject, (entry.code,), entry.title, _note(entry)) for subject, rules in SUBJECTS.items() for entry in rules
    ]
    assert broken_layout("advice.md") == unanswered("advice.md") == []


def test_page__tables__are_those_of_the_code() -> None:
    assert _table(f"| option | {VALUES}") == list(_profile())
    assert _table(f"| setting | {VALUES}") == [_host_setting(one) for one in RECOMMENDED]
    left_out = _table("| setting | why not |")
    assert left_out[:-1] == [f"| `{one.name}` | {one.why} |" for one in NOT_ADVISED]
    assert left_out[-1].startswith("| `net.ipv4.tcp_congestion_control` = htcp |")


def _note(entry: AdviceEntry) -> str:
    measured = "measured" if entry.is_measured else "not measured here"
    return f"Risk: {entry.risk.value}. Effect: {measured}. Evidence: {entry.evidence}"


def _table(head: str) -> list[str]:
    """Rows of the table with this head."""
    text = (REFERENCE / "advice.md").read_text(encoding="utf-8")
    return text.partition(f"\n{head}\n")[2].partition("\n\n")[0].splitlines()[1:]


def _profile() -> Iterator[str]:
    named = {layout: {one.name: one for one in PROFILES[layout]} for layout in LAYOUTS}
    for name in sorted({name for values in named.values() for name in values}):
        found = [named[layout].get(name) for layout in LAYOUTS]
        first = next(one for one in found if one)
        at = [one.value if one else "as it is" for one in found]
        yield f"| {' | '.join((f'`{name}`', *at, first.why, first.effect, first.source))} |"


def _host_setting(one: HostSetting) -> str:
    first = "- - " if one.form is Form.LEAST_OF_THREE else ""
    at = [first + one.wanted[layout] if layout in one.wanted else "as it is" for layout in LAYOUTS]
    return f"| {' | '.join((f'`{one.name}`', *at, one.why, one.effect, one.source))} |"
