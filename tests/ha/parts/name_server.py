"""A name server for `*.hawser.test`, which are all this machine: `python -m tests.ha.parts.name_server ADDRESS`."""

from __future__ import annotations

import socket
import struct
import sys

DOMAIN = b"\x06hawser\x04test\x00"
A, OK, NO_NAME = 1, 0x8580, 0x8583
_ANSWER = struct.pack(">HHHIH", 0xC00C, A, 1, 0, 4) + socket.inet_aton("127.0.0.1")
"""The name that was asked for, an address, which is not kept."""


def answer(asked: bytes) -> bytes:
    """To one question; another type than an address has no answer."""
    end = asked.index(b"\0", 12) + 1
    question, kind = asked[12 : end + 4], struct.unpack(">H", asked[end : end + 2])[0]
    is_ours = asked[:end].lower().endswith(DOMAIN)
    has_address = is_ours and kind == A
    head = asked[:2] + struct.pack(">HHHHH", OK if is_ours else NO_NAME, 1, int(has_address), 0, 0)
    return head + question + (_ANSWER if has_address else b"")


def main() -> None:
    """Answer until killed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((sys.argv[1], 53))
        while True:
            asked, caller = server.recvfrom(512)
            server.sendto(answer(asked), caller)


if __name__ == "__main__":
    main()
