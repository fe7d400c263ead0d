"""The form of a message: RFC 5424, whatever a record holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.audit.chain import KEYED_FIELDS
from backend.audit.forwarding.syslog_message import frame, message
from tests.backend.config.given_settings import fault

HEADER = re.compile(
    r"<(\d{1,3})>1 (\S+) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) "
    r'(\[[!-~]{1,32}(?: [a-z_]{1,32}="(?:[^"\\\]]|\\["\\\]])*")*\]) \ufeff(.*)',
    re.DOTALL,
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=40)


def plain(**changes: Any) -> dict[str, Any]:
    """A record as the exports have it."""
    values: dict[str, Any] = dict.fromkeys((*KEYED_FIELDS, "hash"), "")
    return values | {"seq": 7, "at": "2026-11-27T10:00:00.000000Z", "facts": {}, **changes}


@given(action=TEXT, actor=TEXT, target=TEXT, reason=TEXT, host=TEXT, facts=st.dictionaries(TEXT, TEXT, max_size=3))
def test_message__any_record__has_the_form_and_holds_all_of_it(
    action: str, actor: str, target: str, reason: str, host: str, facts: dict[str, str]
) -> None:
    record = plain(action=action, actor=actor, target=target, reason=reason, facts=facts)
    sent = message(record, host=host, process_id=12)
    found = HEADER.fullmatch(sent.decode())
    assert found is not None, sent
    assert json.loads(found[8]) == record
    assert not any(ord(c) < 32 for c in found[7])
    length, _, rest = frame(sent).partition(b" ")
    assert int(length) == len(rest)


@pytest.mark.parametrize(
    ("url", "reported"),
    [
        ("udp://host:514", "UDP would lose records"),
        ("syslog.example.net", "must be tls://"),
        ("unix://", "names no socket"),
        ("tls://:6514", "names no host"),
        ("tcp://host:601?ca=/etc/hostname", "does not use TLS"),
        ("tls://host:6514?ca=/nowhere", "cannot be read"),
        ("tls://host:6514?verify=no", "unknown parameter verify"),
        ("tls://host:6514?cert=/etc/hostname", "needs both cert and key"),
    ],
)
def test_setting__that_would_lose_or_show_records__refused_at_start(url: str, reported: str) -> None:
    assert reported in fault(HAWSER_AUDIT_SYSLOG=url)


@pytest.mark.parametrize("url", ["", "tls://h:6514", "tcp://h", "unix:///dev/log", "tls://h?ca=/etc/hostname"])
def test_setting__in_its_form__accepted(url: str) -> None:
    assert fault(HAWSER_AUDIT_SYSLOG=url) == ""
