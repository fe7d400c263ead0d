"""Slows down password guessing. Attempts are counted in the database, before the password is checked.

It refuses an address, and a name from one address, but never a name from everywhere: a stranger must not lock out its
owner. Guesses at one name from many addresses are answered with a growing delay. A browser in which the user signed in
before (`known_browser`) has its own counter, so that strangers behind the same address do not use up its attempts.

A directory counts by itself, and locks an account for all that it opens. Of the guesses at one name, so few are sent
there that a stranger does not reach its threshold; a known browser is exempt.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from backend.common import heartbeats
from backend.common.client_networks import networks_of
from backend.common.errors import ProblemError
from backend.common.retention import delete_in_portions
from backend.core.plural import pluralize
from backend.identity.accounts.models import LoginCounter, User

FIRST_DELAY_S: Final = 0.1
DELAYED_AT_ONCE: Final = 8
"""Each delayed attempt occupies a request thread; more than these are refused."""
_FORWARDED: Final = "directory:"
_delayed = threading.BoundedSemaphore(DELAYED_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in: the counter that its success clears, the others that count it, and the delay of its response."""

    own_key: str
    other_keys: tuple[str, ...]
    delay_s: float

    def wait(self) -> None:
        """Delay the response while the name is under attack; raises 503 if too many attempts wait."""
        if not self.delay_s:
            return
        if not _delayed.acquire(blocking=False):
            detail = "There are too many attempts on this user name at the moment. Retry in a few seconds."
            raise ProblemError(503, "sign_in_busy", detail, headers={"Retry-After": "2"})
        try:
            time.sleep(self.delay_s)
        finally:
            _delayed.release()

    def succeed(self) -> None:
        """Clear earlier failures of this name from this address after a correct password, and no others."""
        LoginCounter.objects.filter(key=self.own_key).delete()
        _take_back(self.other_keys)

    def withdraw(self) -> None:
        """Uncount the attempt, because the password was not checked."""
        _take_back((self.own_key, *self.other_keys))


def count_factor_attempt(*, username: str) -> Attempt:
    """Count one code of a second factor; raises 429 beyond the limit.

    It counts a name from everywhere: who guesses codes knows the password, so no stranger can lock out the owner. A
    right password clears nothing of it.
    """
    own_key = f"factor:{_digest_of(username)}"
    _count({own_key: settings.HAWSER_LOGIN_LIMIT})
    return Attempt(own_key, (), 0.0)


def count_attempt(*, username: str, source_ip: str, browser_id: str | None) -> Attempt:
    """Count one attempt; raises 429 beyond the limit, which counts nothing.

    Parallel attempts wait for each other at the counter's row, so that none exceeds the limit. An address may try ten
    times as often as one name from there, because many users can share it.
    """
    limit, digest, network = settings.HAWSER_LOGIN_LIMIT, _digest_of(username), networks_of(source_ip)[0]
    name_key = f"name:{digest}"
    if browser_id is None:
        own_key, limits = f"pair:{digest}:{network}", {f"address:{network}": limit * 10, name_key: None}
    else:
        own_key, limits = f"browser:{digest}:{browser_id}", {}
    failures = _count({own_key: limit, **limits})
    return Attempt(own_key, tuple(limits), _delay_s(failures.get(name_key, 0) - limit))


def count_forwarded(username: str) -> Attempt:
    """Count a password of this name that a directory is asked about; raises 429 beyond the limit.

    Its window begins anew with each, as the directory's own does: it ends when none was sent for so long.
    """
    own_key = f"{_FORWARDED}{_digest_of(username)}"
    _count({own_key: settings.HAWSER_LDAP_FAILURES})
    return Attempt(own_key, (), 0.0)


def unlock(username: str) -> None:
    """Clear all failures of a name, from all addresses."""
    digest = _digest_of(username)
    of_name = Q(key__in=[f"name:{digest}", f"factor:{digest}", f"{_FORWARDED}{digest}"])
    of_place = Q(key__startswith=f"pair:{digest}:") | Q(key__startswith=f"browser:{digest}:")
    LoginCounter.objects.filter(of_name | of_place).delete()


def forget_old() -> None:
    """Drop expired counters; called by the monitor."""
    if heartbeats.is_due("login_counters", timedelta(hours=1)):
        longest = timedelta(seconds=max(_window_s(""), _window_s(_FORWARDED)))
        delete_in_portions(LoginCounter.objects.filter(window_started_at__lt=timezone.now() - longest))


def _window_s(key: str) -> int:
    return int(settings.HAWSER_LDAP_WINDOW_S if key.startswith(_FORWARDED) else settings.HAWSER_LOGIN_WINDOW_S)


def _count(limits: dict[str, int | None]) -> dict[str, int]:
    """Failures so far of each key, including this attempt."""
    for key in limits:
        # Outside of the transaction: two concurrent inserts of one key that lock afterwards would deadlock.
        LoginCounter.objects.get_or_create(key=key, defaults={"window_started_at": timezone.now()})
    with transaction.atomic():
        counters = [counter for key in sorted(limits) if (counter := _current(key))]
        for counter in counters:
            limit = limits[counter.key]
            if limit is not None and counter.failures >= limit:
                raise _too_many(counter)
        for counter in counters:
            counter.failures += 1
            if counter.key.startswith(_FORWARDED):
                counter.window_started_at = timezone.now()
            counter.save(update_fields=["failures", "window_started_at"])
    return {counter.key: counter.failures for counter in counters}


def _current(key: str) -> LoginCounter | None:
    """The locked counter, reset if its window is over; None if a success cleared it meanwhile."""
    now = timezone.now()
    counter = LoginCounter.objects.select_for_update().filter(key=key).first()
    if counter is None:
        return None
    if now - counter.window_started_at > timedelta(seconds=_window_s(key)):
        counter.failures, counter.window_started_at = 0, now
    return counter


def _take_back(keys: tuple[str, ...]) -> None:
    LoginCounter.objects.filter(key__in=keys, failures__gt=0).update(failures=F("failures") - 1)


def _too_many(counter: LoginCounter) -> ProblemError:
    age_s = (timezone.now() - counter.window_started_at).total_seconds()
    wait_s = max(1, math.ceil(_window_s(counter.key) - age_s))
    refused = (
        f"Too many failed sign-ins with this name. The password was not sent to {settings.HAWSER_LDAP_NAME}, so that "
        "nobody locks the account there."
        if counter.key.startswith(_FORWARDED)
        else "Too many failed sign-ins from this address. The password was not checked."
    )
    return ProblemError(
        429,
        "too_many_attempts",
        f"{refused} Wait up to {pluralize(math.ceil(wait_s / 60), 'minute')}, sign in from a browser that you used "
        "before, or ask an administrator to unlock you.",
        headers={"Retry-After": str(wait_s)},
    )


def _delay_s(beyond_limit: int) -> float:
    """Doubles with each failure beyond the limit, up to the setting."""
    if beyond_limit <= 0:
        return 0.0
    return float(min(settings.HAWSER_LOGIN_DELAY_MAX_S, FIRST_DELAY_S * 2 ** min(beyond_limit - 1, 16)))


def _digest_of(username: str) -> str:
    """One digest for all spellings that the database takes for the same user."""
    found = User.objects.filter(username=username).values_list("username", flat=True).first()
    return hashlib.sha256((found or username).casefold().encode("utf-8", "surrogatepass")).hexdigest()[:32]
