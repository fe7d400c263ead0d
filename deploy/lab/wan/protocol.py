"""Asking the router: one JSON object a line, on a socket that only its owner may open."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.layout import Paths
from deploy.services.patience import patience

NAME = "wan-router"
ANSWER_LIMIT_S = 0.2
ASK_LIMIT_S = 5.0


class RouterError(LabError):
    """The router did not answer."""


ENDED = (
    "the router of the lab's distance has ended, so no node reaches another one and the console reaches none."
    " `wan` starts it again with the shapes it had, then `start a` and `start b` what has left its cluster"
)


def socket_file(paths: Paths) -> Path:
    """Where the router listens."""
    return paths.socket(NAME)


def ask(paths: Paths, what: str, **more: object) -> dict[str, Any]:
    """Send a request and wait for the answer; RouterError where it does not, LabError where it refuses.

    The router hangs up on who takes long to ask, as a process on a busy machine may: that is asked again.
    """
    until = time.monotonic() + ASK_LIMIT_S * patience()
    answer: dict[str, Any] | None = None
    while answer is None:
        try:
            answer = _asked(paths, {"do": what, **more})
        except (OSError, ValueError) as error:
            hung_up = isinstance(error, BrokenPipeError | ConnectionResetError | ValueError)
            if not hung_up or time.monotonic() > until:
                raise RouterError(
                    f"the router of the lab's distance does not answer ({error}). `wan` starts it again if it ended"
                ) from error
    if "error" in answer:
        raise LabError(f"the router refused: {answer['error']}")
    return answer


def _asked(paths: Paths, request: dict[str, object]) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ASK_LIMIT_S * patience())
        connection.connect(str(socket_file(paths)))
        connection.sendall(json.dumps(request).encode() + b"\n")
        answer: dict[str, Any] = json.loads(connection.makefile("rb").readline())
    return answer
