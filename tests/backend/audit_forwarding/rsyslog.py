"""A real rsyslogd on loopback that writes what it was told to a file, one line of JSON a message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.lab.layout import Node
from deploy.lab.server import tls
from deploy.services.net import free_port, port_open
from deploy.services.process import Child, wait_until

_TEMPLATE = (
    'template(name="line" type="list" option.jsonf="on") {'
    + "".join(
        f'property(outname="{out}" name="{name}" format="jsonf")'
        for out, name in (
            ("priority", "pri"), ("host", "hostname"), ("app", "app-name"), ("action", "msgid"),
            ("structured", "structured-data"), ("text", "msg"), ("at", "timereported"),
        )
    )
    + "}"
)  # fmt: skip


@dataclass
class Rsyslog:
    """The receiver: where it listens, the CA of its certificate, and its program."""

    folder: Path
    port: int
    is_tls: bool
    child: Child

    @property
    def url(self) -> str:
        """The setting that leads here."""
        if not self.is_tls:
            return f"tcp://127.0.0.1:{self.port}"
        return f"tls://127.0.0.1:{self.port}?ca={self.folder / 'tls/ca.pem'}"

    def messages(self, count: int) -> list[dict[str, Any]]:
        """What it has received, once it is that many."""
        wait_until(lambda: len(self._written()) >= count, 60)
        return self._written()

    def _written(self) -> list[dict[str, Any]]:
        path = self.folder / "received"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def start(self) -> None:
        """Listen."""
        (self.folder / "pid").unlink(missing_ok=True)
        self.child.start()
        assert wait_until(lambda: port_open(self.port), 15, self.child), self.child.tail()

    def stop(self) -> None:
        """As a receiver whose host went down."""
        self.child.stop()


def _config(folder: Path, port: int, *, is_tls: bool) -> str:
    files = "".join(
        f' streamDriver.{name}="{folder}/tls/{file}"'
        for name, file in (("CAFile", "ca.pem"), ("CertFile", "own.pem"), ("KeyFile", "own.key"))
    )
    # The other driver, ossl, of 8.2302 may lose messages when connections come close together (verify-audit-log.md).
    driver = f' streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon"{files}' if is_tls else ""
    return (
        f'global(workDirectory="{folder}" maxMessageSize="64k")\nmodule(load="imtcp")\n{_TEMPLATE}\n'
        f'ruleset(name="audit") {{ action(type="omfile" file="{folder}/received" template="line") }}\n'
        f'input(type="imtcp" address="127.0.0.1" port="{port}" ruleset="audit" maxFrameSize="65536"{driver})\n'
    )


@contextmanager
def rsyslog(folder: Path, *, is_tls: bool = False) -> Iterator[Rsyslog]:
    """Listening in the block."""
    port = free_port()
    if is_tls:
        (folder / "tls").mkdir()
        tls.create_ca(folder / "tls")
        tls.create_node(folder / "tls", Node("own", "a", 1, "127.0.0.1", 1, 1))
    (folder / "rsyslog.conf").write_text(_config(folder, port, is_tls=is_tls))
    command = ["rsyslogd", "-n", "-f", str(folder / "rsyslog.conf"), "-i", str(folder / "pid")]
    found = Rsyslog(folder, port, is_tls, Child("rsyslogd", command, folder / "log", grace_s=5))
    found.start()
    try:
        yield found
    finally:
        found.stop()
