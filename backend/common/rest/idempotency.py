"""A repeated unsafe call with the same key gets the first response and does nothing again.

The same key with another body is refused (422); so is a second call while the first one is in progress (409). A failed
call (5xx, 429) releases its key: nothing was stored, so a retry can succeed. A call whose process is seen to have ended
is in progress no more; of a process on another machine that is assumed after two minutes. Such a call is carried out
again: `atomic_response` says which ones cannot have been done before.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common import database_clock
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.models import IdempotencyRecord
from backend.common.process_owner import is_gone, new_owner
from backend.common.rest.unstored_responses import AWAY, Ending, unstored
from backend.common.retention import delete_in_portions

HEADER = "Idempotency-Key"
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
KEEP = timedelta(hours=24)
ABANDONED = timedelta(minutes=2)
CLAIMS = 3
"""A key that another call holds may be released before its record is read: then it is claimed again."""
_KEY = re.compile(r"^[\x21-\x7e]{1,128}$")


class ReplayError(Exception):
    """Carries the stored response out of the view; it is not an error."""

    def __init__(self, record: IdempotencyRecord) -> None:
        super().__init__(record.key)
        self.record = record


def begin(request: Request) -> IdempotencyRecord | None:
    """Claim the key of this call; None without a key. Raises ReplayError or a problem."""
    key = request.headers.get(HEADER)
    if key is None or request.method not in UNSAFE:
        return None
    if not _KEY.match(key):
        raise invalid(HEADER, "Use 1 to 128 visible ASCII characters, best a random UUID.")
    caller = str(request.user.get_username())
    fingerprint = fingerprint_of(request)
    for _ in range(CLAIMS):
        if (claimed := _claim(caller, key, fingerprint)) is not None:
            return claimed
        if (record := IdempotencyRecord.objects.filter(caller=caller, key=key).first()) is not None:
            return _second_call(record, fingerprint)
    raise in_progress()


def _claim(caller: str, key: str, fingerprint: str) -> IdempotencyRecord | None:
    """A record of this call; None if there is one. Where the database is lost meanwhile, it is released later."""
    owner = new_owner()
    try:
        with transaction.atomic():
            return IdempotencyRecord.objects.create(
                caller=caller, key=key, fingerprint=fingerprint, owner=owner, created_at=Now()
            )
    except IntegrityError:
        return None
    except AWAY:
        unstored.add(Ending(caller, key, owner, None))
        raise


def fingerprint_of(request: Request) -> str:
    """Identity of a call: method, address and parsed body."""
    parts = (request.method, request.get_full_path(), repr(_ordered(request.data)))
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()


def _ordered(data: Any) -> Any:
    if isinstance(data, dict):
        return sorted((str(key), _ordered(value)) for key, value in data.items())
    return [_ordered(item) for item in data] if isinstance(data, list) else repr(data)


def _second_call(record: IdempotencyRecord, fingerprint: str) -> IdempotencyRecord:
    now = database_clock.now()  # two web processes may have different times
    is_expired = record.created_at < now - KEEP
    is_abandoned = record.created_at < now - ABANDONED or is_gone(record.owner)
    if is_expired or (record.status is None and is_abandoned):
        return _take_over(record, fingerprint)
    if record.fingerprint != fingerprint:
        detail = "This Idempotency-Key was used for another request. Nothing was done. Send a new key."
        raise ProblemError(422, "idempotency_key_reused", detail)
    if record.status is None:
        raise in_progress()
    raise ReplayError(record)


def in_progress() -> ProblemError:
    """The refusal of a call while another one holds its key."""
    return conflict(
        "idempotency_in_progress",
        "The first call with this Idempotency-Key is still in progress. Repeat this call in a few seconds.",
    )


def _take_over(record: IdempotencyRecord, fingerprint: str) -> IdempotencyRecord:
    """Take over a key whose first call failed or has expired; exactly one caller gets it."""
    won = IdempotencyRecord.objects.filter(pk=record.pk, owner=record.owner).update(
        fingerprint=fingerprint, status=None, body=None, created_at=Now(), owner=new_owner()
    )
    if not won:
        raise in_progress()
    record.refresh_from_db()
    return record


def ending_of(record: IdempotencyRecord, response: Response) -> Ending:
    """The response, to be stored under its key; after a failure or a 429 the key's release."""
    values: dict[str, Any] | None = None
    if response.status_code < 500 and response.status_code != 429:
        content_type = (response.content_type or "application/json")[:80]
        body = None if response.data is None else json.loads(JSONRenderer().render(response.data))
        values = {"status": response.status_code, "body": body, "content_type": content_type}
    return Ending(record.caller, record.key, record.owner, values)


def finish(record: IdempotencyRecord, response: Response) -> None:
    """Store the response or release the key; later, if the database is lost just now."""
    ending = ending_of(record, response)
    try:
        ending.store()
    except AWAY:
        unstored.add(ending)


def replay(record: IdempotencyRecord) -> Response:
    """The stored response, marked as a replay."""
    response = Response(record.body, status=record.status, content_type=record.content_type)
    response["Idempotency-Replayed"] = "true"
    return response


def forget_old() -> int:
    """Drop responses older than a day; called by the monitor's slow tick."""
    return delete_in_portions(IdempotencyRecord.objects.filter(created_at__lt=Now() - KEEP))
