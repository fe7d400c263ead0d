"""The request that caused the current work; set by middleware and tasks, read by audit log and logs."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The request that caused the current work; `token_id` is the token with which it was made, empty without one."""

    request_id: str = ""
    source_ip: str = ""
    token_id: str = ""
    started_s: float = field(default_factory=time.monotonic)


_NONE = RequestContext()
current: ContextVar[RequestContext] = ContextVar("hawser_request", default=_NONE)
