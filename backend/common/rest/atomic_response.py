"""Calls whose effect and stored response are one transaction of the console's database.

A web process that is killed after its effect and before its response is stored leaves a key that is free again: the
repeated call would do it a second time. Where the call changes nothing but the console's database, it need not be so.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.db import transaction
from rest_framework.response import Response

from backend.common.rest import idempotency
from backend.common.transaction_retry import retry_on_rollback

Method = Callable[..., Response]
M = TypeVar("M", bound=Method)


def stored_with_effect(method: M) -> M:
    """Marks a view's method that reads and changes only the console's database, and asks no server and no service.

    Under a key its response is stored in the transaction of its effect. It is repeated where that was rolled back.
    """

    @functools.wraps(method)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Response:
        return _response(method, self, *args, **kwargs)

    return cast("M", whole)


def _response(method: Method, view: Any, *args: Any, **kwargs: Any) -> Response:
    if view.record is None:
        return method(view, *args, **kwargs)
    response = _with_stored_response(method, view, *args, **kwargs)
    view.record = None  # its end is stored
    return response


@retry_on_rollback
def _with_stored_response(method: Method, view: Any, *args: Any, **kwargs: Any) -> Response:
    with transaction.atomic():
        response = method(view, *args, **kwargs)
        if not idempotency.ending_of(view.record, response).store():
            raise idempotency.in_progress()  # the key was taken over meanwhile: its new call does the work
    return response
