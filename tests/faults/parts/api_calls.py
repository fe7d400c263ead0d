"""Calls beside the API's own: signs of life, and reads whose time counts."""

from __future__ import annotations

import http.client
import json
import time
from contextlib import closing
from typing import TYPE_CHECKING

from tests.galera.console import Json

if TYPE_CHECKING:
    from tests.faults.fault import Fault


def asked(fault: Fault, path: str) -> tuple[float, int, Json]:
    """One call over a connection of its own; (seconds taken, status, body)."""
    began = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", fault.stack.port, timeout=60)) as connection:
        connection.request("GET", path, headers={"Authorization": f"Bearer {fault.console.token}"})
        with connection.getresponse() as answer:
            body: Json = json.loads(answer.read())
    return time.monotonic() - began, answer.status, body


def parts(fault: Fault) -> Json:
    """What `/readyz` says of each part: `ok` and `detail`."""
    answer: Json = asked(fault, "/readyz")[2]["parts"]
    return answer
