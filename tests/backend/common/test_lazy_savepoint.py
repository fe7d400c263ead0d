"""A savepoint that is set only where something is written."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from backend.common.events.models import Event
from backend.common.events.services import link_updated
from backend.common.lazy_savepoint import atomic_if_written

pytestmark = pytest.mark.django_db


class _TroubleError(Exception):
    pass


def test_atomic_if_written__only_read__no_savepoint() -> None:
    with CaptureQueriesContext(connection) as sent, atomic_if_written():
        list(Event.objects.all())
    assert [query["sql"].split()[0] for query in sent.captured_queries] == ["SELECT"]


def test_atomic_if_written__fails_after_it_wrote__undone_and_the_transaction_goes_on() -> None:
    link_updated(link_id="before")
    for inner in (transaction.atomic(), nullcontext()):
        _fail_within(inner)
    link_updated(link_id="after")
    assert list(Event.objects.order_by("id").values_list("link_id", flat=True)) == ["before", "after"]


def _fail_within(inner: AbstractContextManager[object]) -> None:
    with pytest.raises(_TroubleError), atomic_if_written():  # noqa: PT012 - the second raises
        with inner:
            link_updated(link_id="undone")
        raise _TroubleError


def test_atomic_if_written__fails_before_it_wrote__the_transaction_goes_on() -> None:
    with pytest.raises(_TroubleError), atomic_if_written(), transaction.mark_for_rollback_on_error("default"):
        raise _TroubleError
    link_updated(link_id="after")


def test_atomic_if_written__ends_well__kept() -> None:
    with atomic_if_written():
        link_updated(link_id="kept")
    assert Event.objects.filter(link_id="kept").exists()
