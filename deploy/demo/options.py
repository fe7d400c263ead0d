"""What a demo can be told, and where its files lie."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import ROOT


@dataclass(frozen=True)
class Options:
    """A demo's settings. `seconds` of 0 means until it is told to stop."""

    home: Path
    host: str
    port: int
    lab_home: Path
    variant: str
    keep_lab: bool
    load: bool
    seconds: float
    ready_file: Path | None

    @property
    def logs(self) -> Path:
        """Folder of all logs."""
        return self.home / "logs"

    @property
    def secrets(self) -> Path:
        """Folder of generated keys and passwords."""
        return self.home / "secrets"

    @property
    def load_token(self) -> Path:
        """File with the API token by which the lab's load asks for the active side; it only reads."""
        return self.secrets / "load_token"

    @property
    def temporary(self) -> Path:
        """Temporary files of the console's processes."""
        return self.home / "tmp"

    @property
    def database(self) -> Path:
        """The console's SQLite file."""
        return self.home / "console.sqlite3"

    @property
    def url(self) -> str:
        """Where the console answers."""
        return f"http://127.0.0.1:{self.port}"


def parse(arguments: list[str] | None = None) -> Options:
    """Options from the command line and from HAWSER_PORT, HAWSER_LAB_HOME."""
    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__)
    parser.add_argument("--home", type=Path, default=ROOT / ".demo", help="folder for state and logs")
    parser.add_argument("--host", default="127.0.0.1", help="address the console listens on")
    parser.add_argument("--port", type=int, default=int(os.environ.get("HAWSER_PORT", "8800")))
    parser.add_argument("--variant", default="classic", help="lab variant: classic, shared-id, gtid, aligned")
    parser.add_argument(
        "--no-lab-reset",
        dest="keep_lab",
        action="store_true",
        help="use the lab and console database that are there, and leave them at the end",
    )
    parser.add_argument("--no-load", dest="load", action="store_false", help="no write load")
    parser.add_argument("--seconds", type=float, default=0, help="stop by itself after this time")
    parser.add_argument("--ready-file", type=Path, help="written as JSON once everything is up")
    given = parser.parse_args(arguments)
    lab_home = os.environ.get("HAWSER_LAB_HOME")
    return Options(
        home=given.home.resolve(),
        host=given.host,
        port=given.port,
        lab_home=Path(lab_home).resolve() if lab_home else ROOT / ".lab",
        variant=given.variant,
        keep_lab=given.keep_lab,
        load=given.load,
        seconds=given.seconds,
        ready_file=given.ready_file.resolve() if given.ready_file else None,
    )
