"""A message in the queue of the runs."""

from __future__ import annotations

import base64
import json
from typing import Any


def message(task: object = "runs.worker_probe", body: object = ((), {}, {}), **changes: Any) -> dict[str, Any]:
    """A message as the console sends it, but for what is named."""
    text = body if isinstance(body, str) else base64.b64encode(json.dumps(body).encode()).decode()
    headers = {"lang": "py", "task": task, "id": "t1", "timelimit": [None, None], "eta": None, "retries": 0}
    properties = {
        "delivery_tag": "d1",
        "delivery_info": {"exchange": "", "routing_key": "runs"},
        "body_encoding": "base64",
        "delivery_mode": 2,
        "priority": 0,
        "correlation_id": "t1",
    }
    whole = {
        "body": text,
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": headers | changes.pop("headers", {}),
        "properties": properties | changes.pop("properties", {}),
    }
    return whole | changes
