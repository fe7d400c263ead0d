"""An audit record of before there was an audit key."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785
from django.utils import timezone

from backend.audit import chain
from backend.audit.models import AuditHead, AuditRecord


def unkeyed_hash(plain: dict[str, Any]) -> str:
    """What anybody can compute."""
    return hashlib.sha256(rfc8785.dumps({name: plain[name] for name in chain.FIELDS})).hexdigest()


@pytest.fixture
def unkeyed(emptied: None) -> None:
    """A record of before there was an audit key."""
    last = chain.GENESIS
    for seq in (1, 2, 3):
        plain: dict[str, Any] = dict.fromkeys(chain.FIELDS, "") | {"seq": seq, "facts": {}, "prev_hash": last}
        at = timezone.now()
        last = unkeyed_hash({**plain, "at": chain.time_text(at)})
        AuditRecord.objects.bulk_create([AuditRecord(**{**plain, "at": at}, hash=last)])
    AuditHead.objects.update(seq=3, hash=last)
