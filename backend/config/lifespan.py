"""The ASGI server's messages at the start and the end of the process."""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.db import connection

from backend.config.asgi_types import Receive, Send


async def follow_lifespan(receive: Receive, send: Send) -> None:
    """At the start, refuse a half-restored database; at the end, write refusals that are not recorded yet."""
    from backend.audit.aggregation import refusals  # needs the applications

    while (await receive())["type"] != "lifespan.shutdown":
        if why := await sync_to_async(_refusal)():
            await send({"type": "lifespan.startup.failed", "message": why})
            return
        await send({"type": "lifespan.startup.complete"})
    await sync_to_async(refusals.flush)()
    await send({"type": "lifespan.shutdown.complete"})


def _refusal() -> str:
    from backend.common import unfinished_restore  # needs the applications

    try:
        return unfinished_restore.refusal()
    finally:
        connection.close()
