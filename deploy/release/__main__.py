"""Command line of `python -m deploy.release`."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.demo import frontend
from deploy.release import advisories, bases
from deploy.release.build import build_release
from deploy.release.errors import ReleaseError
from deploy.release.signature import fingerprint, require_key
from deploy.release.tree import read_tree, require_clean
from deploy.services.process import ROOT, ServiceError


def main(arguments: list[str]) -> int:
    """Make a release of the tree as it is; the exit code."""
    options = _options(arguments)
    try:
        tree = read_tree()
        if not options.allow_dirty:
            require_clean(tree)
            require_key(options.key)
        is_for_tests = options.allow_dirty and options.key is None
        if not is_for_tests:
            advisories.require_none(advisories.ask_all(), options.accept)
        found = _bases(options.bases, is_for_tests=is_for_tests)
        # A fresh build: what is in frontend/dist may be of other packages, or changed by hand.
        frontend.build()
        files = build_release(tree, frontend.DIST, options.out, bases=found, accepted=options.accept, key=options.key)
    except (ReleaseError, ServiceError) as error:
        print(error, file=sys.stderr)
        return 1
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path.name}")
    print(f"signed by {fingerprint(options.key)}" if options.key else "not signed: for tests alone")
    return 0


def _bases(bill: Path | None, *, is_for_tests: bool) -> list[bases.Base]:
    if bill is not None:
        return bases.read(bill)
    return bases.named() if is_for_tests else bases.look_up(datetime.now(UTC).date())


class _Accept(argparse.Action):
    """Collects `ID: REASON`, so that no advisory is accepted without a reason."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, given: Any, _: Any = None
    ) -> None:
        name, _sep, reason = (part.strip() for part in str(given).partition(":"))
        if not name or not reason:
            parser.error("--accept takes the id of an advisory and the reason: 'GHSA-xxxx-xxxx-xxxx: REASON'")
        setattr(namespace, self.dest, getattr(namespace, self.dest) | {name: reason})


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m deploy.release", description=__doc__)
    parser.add_argument("--allow-dirty", action="store_true", help="even if paths differ from the commit; for tests")
    parser.add_argument(
        "--accept", action=_Accept, default={}, metavar="'ID: REASON'", help="an advisory in spite of which it is made"
    )
    parser.add_argument("--bases", type=Path, help="bill of images of an earlier build of this release")
    parser.add_argument("--key", type=Path, help="private Ed25519 key (PEM) that signs SHA256SUMS")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", help="folder of the release (dist); an earlier one in it is removed"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
