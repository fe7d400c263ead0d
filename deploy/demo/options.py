"""The options of the demo and the paths of its files."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import ROOT

MOST_LINKS = 200


@dataclass(frozen=True)
class Options:
    """The demo's settings. With `seconds` of 0 it runs until it is stopped."""

    home: Path
    host: str
    port: int
    lab_home: Path
    variant: str
    keep_lab: bool
    load: bool
    bare: bool
    seconds: float
    ready_file: Path | None
    links: int = 1
    """All but the first one are between nodes that only answer polls."""
    wan: str = ""
    """Round trip between the sites; empty for a lab without distance."""

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
        """File with the API token with which the lab's load reads the active side."""
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
        """Address of the console."""
        return f"http://127.0.0.1:{self.port}"


def _links(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_LINKS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of links from 1 to {MOST_LINKS}")
    return int(text)


def parse(arguments: list[str] | None = None) -> Options:
    """Options from the command line and from HAWSER_PORT, HAWSER_LAB_HOME."""
    description = "Start two linked Galera clusters and Hawser on this machine. Ctrl-C stops and removes all of it."
    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=description)
    parser.add_argument("--home", type=Path, default=ROOT / ".demo", help="folder for state and logs")
    parser.add_argument("--host", default="127.0.0.1", help="address the console listens on")
    port = int(os.environ.get("HAWSER_PORT", "8800"))
    parser.add_argument("--port", type=int, default=port, help="port of the console; HAWSER_PORT or 8800 by default")
    variants = "replication variant of the lab: classic, shared-id, gtid or aligned"
    parser.add_argument("--variant", default="classic", help=variants)
    parser.add_argument(
        "--no-lab-reset",
        dest="keep_lab",
        action="store_true",
        help="use the existing lab and console database, and keep them at the end",
    )
    parser.add_argument("--no-load", dest="load", action="store_false", help="do not start a write load")
    bare = "neither link nor register the clusters: set up everything yourself, as with clusters of your own"
    parser.add_argument("--bare", action="store_true", help=bare)
    apart = "round trip between the sites, for example 50ms; the console stands at the first site (needs root)"
    parser.add_argument("--wan", metavar="TIME", default="", help=apart)
    fleet = "links in the list: all but the first one are between stand-ins, which are monitored and cannot be moved"
    parser.add_argument("--links", type=_links, default=1, metavar="1..200", help=fleet)
    parser.add_argument("--seconds", type=float, default=0, help="stop automatically after this time; 0 for never")
    parser.add_argument("--ready-file", type=Path, help="file to write as JSON once the demo is ready")
    given = parser.parse_args(arguments)
    if given.bare and given.keep_lab:
        parser.error("--bare begins with new clusters, so it cannot be combined with --no-lab-reset")
    if given.links > 1 and (given.bare or given.keep_lab):
        parser.error("--links needs a new console with a link: it cannot be combined with --bare or --no-lab-reset")
    lab_home = os.environ.get("HAWSER_LAB_HOME")
    return Options(
        home=given.home.resolve(),
        host=given.host,
        port=given.port,
        lab_home=Path(lab_home).resolve() if lab_home else ROOT / ".lab",
        variant=given.variant,
        keep_lab=given.keep_lab,
        load=given.load,
        bare=given.bare,
        links=given.links,
        wan=given.wan,
        seconds=given.seconds,
        ready_file=given.ready_file.resolve() if given.ready_file else None,
    )
