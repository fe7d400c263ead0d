"""What people use today: each searches the same file for the same Xid on the same server.

All of them go unencrypted and stop at the hit, which is to their advantage.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from bench.measure import Answer, Contender
from bench.testbed import SOURCE, Testbed
from deploy.services.process import die_with_parent

MARIADB_BINLOG = "`mariadb-binlog --read-from-remote-server` piped to `grep`"
SHOW_WHOLE = "`SHOW BINLOG EVENTS`, whole file, piped to `grep`"
PYTHON_REPLICATION = "python-mysql-replication"
_END = re.compile(rb"end_log_pos (\d+)")
_OWN_SERVER_ID = 4_000_000_123


def contenders(ground: Testbed, folder: Path, limit_s: float) -> list[Contender]:
    """One run each, of at most `limit_s`: they take long enough."""
    options = _options(ground, folder)
    return [
        mariadb_binlog(ground, folder, limit_s),
        Contender(SHOW_WHOLE, _show_whole(ground, options, limit_s)),
        Contender(PYTHON_REPLICATION, _python_replication(ground, limit_s)),
    ]


def _options(ground: Testbed, folder: Path) -> Path:
    """An option file with the account: a password does not belong in an argument list."""
    endpoint = ground.gateway.access(SOURCE).monitor
    path = folder / "client.cnf"
    path.touch(mode=0o600)
    path.write_text(
        f"[client]\nhost={endpoint.host}\nport={endpoint.port}\nuser={endpoint.user}\n"
        f"password={endpoint.password}\nprotocol=tcp\nskip-ssl\n"
    )
    return path


def mariadb_binlog(ground: Testbed, folder: Path, limit_s: float, program: str = "mariadb-binlog") -> Contender:
    """The program of the server's own release where that is another than the host's: 10.11's refuses a server of 11."""
    return Contender(MARIADB_BINLOG, _mariadb_binlog(ground, _options(ground, folder), limit_s, program))


def _mariadb_binlog(ground: Testbed, options: Path, limit_s: float, program: str) -> Callable[[], Answer]:
    command = [program, f"--defaults-file={options}", "--read-from-remote-server", ground.filled.file]

    def find() -> Answer:
        line = _grep(command, ["-m", "1", "-E", rf"Xid = {ground.xid}\b"], limit_s)
        match = _END.search(line)
        if match is None:
            raise RuntimeError(f"no end_log_pos in {line!r}")
        return Answer(int(match.group(1)))

    return find


def _show_whole(ground: Testbed, options: Path, limit_s: float) -> Callable[[], Answer]:
    statement = f"SHOW BINLOG EVENTS IN '{ground.filled.file}'"
    command = ["mariadb", f"--defaults-file={options}", "--quick", "--batch", "--skip-column-names", "-e", statement]

    def find() -> Answer:
        line = _grep(command, ["-m", "1", "-F", f"xid={ground.xid} "], limit_s)
        return Answer(int(line.split(b"\t")[4]))

    return find


def _grep(command: list[str], arguments: list[str], limit_s: float) -> bytes:
    """The matching line of the command's output; both programs are ended by the time limit at the latest."""
    plain = os.environ | {"LC_ALL": "C"}
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)  # noqa: PLW1509
    try:
        done = subprocess.run(  # its own time limit raises
            ["grep", *arguments], stdin=writer.stdout, capture_output=True, timeout=limit_s, env=plain, check=False
        )
    finally:
        writer.kill()
        writer.wait()
    if not done.stdout:
        raise RuntimeError(f"{command[0]} did not show the Xid")
    return done.stdout


def _python_replication(ground: Testbed, limit_s: float) -> Callable[[], Answer]:
    from pymysqlreplication import BinLogStreamReader
    from pymysqlreplication.event import XidEvent

    endpoint = ground.gateway.access(SOURCE).monitor
    login = {"host": endpoint.host, "port": endpoint.port, "user": endpoint.user, "passwd": endpoint.password}

    def find() -> Answer:
        stream = BinLogStreamReader(
            connection_settings=login, server_id=_OWN_SERVER_ID, only_events=[XidEvent], is_mariadb=True,
            log_file=ground.filled.file, log_pos=4, resume_stream=True, blocking=False,
        )  # fmt: skip
        until = time.monotonic() + limit_s
        try:
            for event in stream:
                if event.xid == ground.xid:
                    return Answer(int(event.packet.log_pos))
                if time.monotonic() > until:
                    raise TimeoutError(f"not found within {limit_s:.0f} s")
        finally:
            stream.close()
        raise RuntimeError("the stream ended without the Xid")

    return find
