"""The ASGI server's word that the process begins and ends."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from backend.config.asgi_types import Receive, Send


async def follow_lifespan(receive: Receive, send: Send) -> None:
    """At the end, refusals that were counted but not written yet go into the record."""
    from backend.audit.aggregation import refusals  # needs the applications

    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await sync_to_async(refusals.flush)()
    await send({"type": "lifespan.shutdown.complete"})
