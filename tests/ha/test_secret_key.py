"""The secret key is replaced in two web processes, one after the other, while browsers call: no user is signed out."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any

import pytest

from deploy.demo import secrets as demo_secrets
from tests.ha.sessions import Browser
from tests.ha.stack import HaStack
from tests.support.waiting import wait_for

BROWSERS, THREADS = 4, 3
SETTLE = 60
"""Calls of a browser before the next web process is restarted."""


def _restarted(stack: HaStack, browsers: list[Browser], **env: str) -> None:
    """Both web processes with this environment, one after the other, as on two hosts; these call each of them."""
    for number, api in enumerate(stack.apis, start=1):
        web = stack.parts[f"web-{number}"]
        web.env = {**web.env, **env}
        web.kill()
        web.start()
        wait_for(api.ready, f"web-{number} to be back")
        before = _calls(browsers)
        wait_for(lambda before=before: _calls(browsers) >= before + SETTLE * len(browsers), "calls")  # type: ignore[misc]


def _calls(browsers: list[Browser]) -> int:
    return sum(sum(one.statuses.values()) for one in browsers)


@pytest.mark.whole
@pytest.mark.timeout(400)
def test_secret_key__replaced_in_two_web_processes_under_load__nobody_is_signed_out(
    small: HaStack, figures: dict[str, Any]
) -> None:
    folder = small.home / "secrets"
    old_file = Path(small.parts["web-1"].env["HAWSER_SECRET_KEY_FILE"])
    old, new = old_file.read_text().strip(), secrets.token_urlsafe(50)
    new_file = demo_secrets.renewed(folder / "new_secret_key", new)
    browsers = [Browser(small.port) for _ in range(BROWSERS)]
    password = demo_secrets.password(old_file.parent)
    assert {one.sign_in("olaf", password) for one in browsers} == {200}
    began = time.monotonic()
    for one in browsers:
        one.start(THREADS)
    _restarted(small, browsers, HAWSER_SECRET_KEY_FALLBACKS=new)
    _restarted(small, browsers, HAWSER_SECRET_KEY_FILE=str(new_file), HAWSER_SECRET_KEY_FALLBACKS=old)
    newest = Browser(small.port)
    assert newest.sign_in("olaf", password) == 200
    for one in browsers:
        one.stop()
    counted = {status: sum(one.statuses.get(status, 0) for one in browsers) for status in (200, 401)}
    figures["secret_key"] = {
        "browsers": BROWSERS,
        "calls": _calls(browsers),
        "ok": counted[200],
        "repeated": sum(one.retries for one in browsers),
        "seconds": round(time.monotonic() - began, 1),
    }
    assert {status for one in browsers for status in one.statuses} == {200}
    _restarted(small, [], HAWSER_SECRET_KEY_FALLBACKS="")
    assert {one.session() for one in browsers} == {401}
    assert newest.session() == 200
