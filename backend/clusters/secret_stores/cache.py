"""Values that were read, in the memory of this process only, for a short time.

A store that is down gives no value: the last one is used until it is HAWSER_SECRET_STALE_MINUTES old. `problem_of`
says so, and a plan refuses. A refused login reads the store again, whatever is in memory.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from django.conf import settings

from backend.clusters.secret_stores.model import Secret, SecretStore, StoreError, is_pem
from backend.clusters.secret_stores.registry import store_of

FRESH_S = 30.0
RETRY_S = 5.0
"""A store that just failed is not called again before."""
JUST_S = 1.0
"""A value that is so new is not read again because a server refused it: sessions are refused side by side."""
_LEASE_PART = 0.5


@dataclass(frozen=True, slots=True)
class _Value:
    secret: Secret | None
    read_s: float
    tried_s: float
    problem: str = ""


_lock = threading.Lock()
_held: dict[str, _Value] = {}
_locks: dict[str, threading.Lock] = {}


def _held_secret(reference: str, *, rereads: bool) -> Secret:
    """The value, from memory while it is fresh; raises StoreError where none may be used.

    `rereads`: the server refused it, so the store is read again, unless another thread just did that.
    """
    with _lock:
        lock = _locks.setdefault(reference, threading.Lock())
    with lock:
        now = time.monotonic()
        held = _held.get(reference)
        refused = rereads and (held is None or now - held.tried_s > JUST_S)
        if held is None or refused or _is_due(held, now):
            held = _held[reference] = _read(reference, held, now, refused=refused)
    if held.secret is None or _is_too_old(held, now):
        raise StoreError(held.problem or f"{_kind(reference)} gave no value.")
    return held.secret


def read(reference: str, *, rereads: bool = False) -> Secret:
    """The password. A key is none: no server is sent one."""
    secret = _held_secret(reference, rereads=rereads)
    if is_pem(secret.password):
        raise StoreError(f"{reference} holds a key or certificate, which is no password.")
    return secret


def read_key(reference: str, *, rereads: bool = False) -> str:
    """The private key (PEM); raises StoreError, also where the store gives something else."""
    text = _held_secret(reference, rereads=rereads).password
    if not is_pem(text) or "PRIVATE KEY-----" not in text:
        raise StoreError(f"{reference} holds no private key as PEM text (BEGIN PRIVATE KEY).")
    return text.strip() + "\n"


def problem_of(reference: str, *, is_key: bool = False) -> str:
    """Why the store does not give the value now; empty where it does."""
    try:
        (read_key if is_key else read)(reference)
    except StoreError as error:
        return str(error)
    return _held[reference].problem


def forget() -> None:
    """Remove all values from memory."""
    _held.clear()


def _is_due(held: _Value, now: float) -> bool:
    if held.problem or held.secret is None:
        return now - held.tried_s >= RETRY_S
    lease = held.secret.lease
    return now - held.read_s >= (FRESH_S if lease is None else _LEASE_PART * lease.lasts_s)


def _is_too_old(held: _Value, now: float) -> bool:
    lease = held.secret.lease if held.secret else None
    most = settings.HAWSER_SECRET_STALE_MINUTES * 60 if lease is None else lease.lasts_s
    return bool(held.problem) and now - held.read_s > most


def _read(reference: str, held: _Value | None, now: float, *, refused: bool) -> _Value:
    """What the store gives now; where it gives nothing, what was held, with the problem."""
    try:
        store, name = store_of(reference)
        store.check(name)
        retained = None if refused else _prolonged(store, held, now)
        return _Value(retained or store.read(name), now, now)
    except (StoreError, ValueError) as error:
        known = held or _Value(None, now, now)
        return replace(known, tried_s=now, problem=str(error))


def _prolonged(store: SecretStore, held: _Value | None, now: float) -> Secret | None:
    """The same account for longer; None where a new one is needed."""
    secret = held.secret if held else None
    if held is None or secret is None or secret.lease is None or not secret.lease.renewable:
        return None
    if now - held.read_s >= secret.lease.lasts_s:
        return None
    try:
        lease = store.renewed(secret.lease)
    except StoreError:
        return None
    return replace(secret, lease=lease) if lease.lasts_s >= _LEASE_PART * secret.lease.lasts_s else None


def _kind(reference: str) -> str:
    return reference.partition(":")[0]
