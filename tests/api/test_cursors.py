"""A cursor that no page gave out is refused by name on every paginated endpoint, whatever it holds."""

from __future__ import annotations

import base64
import json
from typing import Any

from backend.clusters.models import Link
from tests.api.webhooks import add
from tests.support.console import Caller

KEY = "x_aaaaaaaaaaaa"
VALUES: list[list[Any]] = [
    ["x"],
    [None],
    [True],
    [1.5],
    [[1]],
    [{}],
    [2**63],
    [-(2**63)],
    ["2026-01-01T00:00:00+00:00"],
    [1, KEY],
    [KEY, KEY],
    ["2026-01-01T00:00:00", KEY],
    ["0001-01-01T00:00:00+23:59", KEY],
    ["9999-12-31T23:59:59-23:59", KEY],
    ["2026-01-01T00:00:00+00:00", 1],
    ["2026-01-01T00:00:00+00:00", None],
    ["2026-01-01T00:00:00+00:00", "\ud800"],
    ["2026-01-01T00:00:00+00:00", "\x00"],
]


def cursor_of(values: list[Any]) -> str:
    """Encoded as the console does it."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def test_cursor__of_the_wrong_type__400_naming_it_on_every_paginated_endpoint(admin: Caller, link: Link) -> None:
    hook = add(admin, link)
    paths = ("/audit", "/runs", f"/links/{link.id}/history", f"/links/{link.id}/rehearsals")
    for path in (*paths, f"/links/{link.id}/orphans", f"/hooks/{hook['id']}/deliveries"):
        for values in VALUES:
            answer = admin.get(f"{path}?cursor={cursor_of(values)}")
            assert answer.status == 400, (path, values, answer.body)
            assert [error["field"] for error in answer.body["errors"]] == ["cursor"]
