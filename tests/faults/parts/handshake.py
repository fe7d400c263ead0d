"""The first two packets of a database connection: what a proxy can read of it before TLS begins, and change."""

from __future__ import annotations

import asyncio

_CLIENT_SSL = 0x0800
_SSL_REQUEST = 32
"""Bytes of the packet by which a client asks for TLS, without its header."""


async def packet(reader: asyncio.StreamReader) -> bytes:
    """One whole packet with its header of four bytes."""
    head = await reader.readexactly(4)
    return head + await reader.readexactly(int.from_bytes(head[:3], "little"))


def kind_of(first: bytes) -> str:
    """`tls` where the client asks for it, else `clear`."""
    return "tls" if len(first) == 4 + _SSL_REQUEST else "clear"


def changed(first: bytes, *, strip_tls: bool, version: str) -> bytes:
    """The server's greeting without its offer of TLS, or with another version."""
    head, body = first[:4], first[4:]
    end = body.index(b"\0", 1)
    own, rest = body[1:end], bytearray(body[end:])
    # a zero, thread id (4), salt (8), a zero, then the lower two bytes of the capabilities
    low = int.from_bytes(rest[14:16], "little")
    if strip_tls:
        rest[14:16] = (low & ~_CLIENT_SSL).to_bytes(2, "little")
    body = body[:1] + (version.encode() or own) + bytes(rest)
    return len(body).to_bytes(3, "little") + head[3:] + body
