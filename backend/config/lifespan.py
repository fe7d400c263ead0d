"""The ASGI server's messages at the start and the end of the process."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from backend.config.asgi_types import Receive, Send


async def follow_lifespan(receive: Receive, send: Send) -> None:
    """At the end, write the refusals that were counted but not recorded yet."""
    from backend.audit.aggregation import refusals  # needs the applications

    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await sync_to_async(refusals.flush)()
    await send({"type": "lifespan.shutdown.complete"})
