"""One archive with all that a support engineer asks for. Secrets are masked; a part that fails says why."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder

from backend.api.metrics import exposition
from backend.common.redaction import redact_all, redact_text
from backend.common.row_redaction import redact_rows_in_document
from backend.config.doctor.parts import PARTS

DEPTH: Final = 20
"""Below it values are masked unread; a plan has nine levels."""
LOG_BYTES: Final = 5_000_000
_README: Final = """What `hawser_doctor` collected, for a support engineer.

It holds names and addresses of hosts, links and users, settings, findings, and the statements of the newest runs.
It holds no passwords, keys, tokens or rows of applications: those are masked (***). Look through it before you send it.
"""


class ArchiveError(Exception):
    """The archive cannot be written, or a log cannot be read."""


def write_archive(target: Path, *, logs: Sequence[Path], now: datetime) -> list[str]:
    """Write the archive, readable by its owner alone; returns the names of its files. Raises ArchiveError."""
    folder = f"hawser-{now:%Y%m%dT%H%M%SZ}"
    members = [("README", _README), *_parts(), *_logs(logs)]
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ArchiveError(f"{target} cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "wb") as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in members:
            content = text.encode()
            info = tarfile.TarInfo(f"{folder}/{name}")
            info.size, info.mode, info.mtime = len(content), 0o600, int(now.timestamp())
            archive.addfile(info, io.BytesIO(content))
    return [name for name, _ in members]


def _parts() -> Iterator[tuple[str, str]]:
    for name, read in PARTS.items():
        yield f"{name}.json", _as_json(_answer_of(read))
    metrics = _answer_of(lambda: exposition().decode())
    yield "metrics.txt", metrics if isinstance(metrics, str) else _as_json(metrics)


def _answer_of(read: Any) -> Any:
    """The part, or why there is none: on the worst day the database or Redis is down, and the rest is wanted."""
    try:
        return read()
    except Exception as error:  # noqa: BLE001 - whatever is broken is what the archive is for
        return {"error": f"{type(error).__name__}: {error}"}


def _as_json(value: Any) -> str:
    plain = json.loads(json.dumps(value, cls=DjangoJSONEncoder))
    return json.dumps(redact_all(plain, depth=DEPTH), indent=1)


def _masked_line(line: str) -> str:
    """A line of the console's own log is JSON, and stays it."""
    return redact_text(redact_rows_in_document(line.encode(), "" if line.startswith("{") else "text/plain").decode())


def _logs(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """The end of each log, masked line by line; two of one name are numbered."""
    for number, path in enumerate(paths):
        try:
            with path.open("rb") as stream:
                stream.seek(max(0, path.stat().st_size - LOG_BYTES))
                text = stream.read(LOG_BYTES).decode(errors="replace")
        except OSError as error:
            raise ArchiveError(f"{path} cannot be read: {error.strerror}") from error
        yield f"logs/{number}-{path.name}", "".join(map(_masked_line, text.splitlines(keepends=True)))
