"""Verify, export or anchor the audit record without the web, and put its triggers back after a restore."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection, transaction

from backend.audit import guard, heads, selectors, services, triggers
from backend.audit.verification import full_walk, signed_heads
from backend.audit.verification.signed_heads import SignedHead, SignedHeadError
from backend.audit.verification.walk import verdict_of, verify, verify_further


class Command(BaseCommand):
    """`hawser_audit verify` exits 1 at the first damage; `export` and `head` write to standard output."""

    help = "Verify the chain of audit records, export it, or keep its head outside."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One parser a verb."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verify = verbs.add_parser("verify", help="What came since the last verified record, and that it ends rightly.")
        verify.add_argument("--full", action="store_true", help="All records, from the first.")
        verify.add_argument("--head", action="append", default=[], help="A file of heads that was kept outside.")
        export = verbs.add_parser("export", help="All records, oldest first.")
        export.add_argument("--format", choices=["jsonl", "csv"], default="jsonl")
        verbs.add_parser("head", help="The signed head, as JSON on one line.")
        anchor = verbs.add_parser("anchor", help="Append the signed head to a file, best on another host's disk.")
        anchor.add_argument("--file", required=True)
        verbs.add_parser("restore-triggers", help="Create the triggers again, as after a restore without them.")
        sign = verbs.add_parser(
            "sign-head", help="Accept a head that the console did not set; records what verify says."
        )
        sign.add_argument("--reason", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb."""
        try:
            getattr(self, f"_{options['verb'].replace('-', '_')}")(options)
        except SignedHeadError as error:
            raise CommandError(str(error)) from error

    def _verify(self, options: dict[str, Any]) -> None:
        external_heads = [head for path in options["head"] for head in signed_heads.read_file(Path(path))]
        verdict = _verdict(external_heads, is_full=options["full"])
        head = verdict["head"]
        if not verdict["ok"]:
            bad = f"record {verdict['first_bad_seq']} is the first bad one ({verdict['reason']})"
            raise CommandError(f"The chain is broken: {bad}. {verdict['detail']}")
        if verbs := guard.unguarded(connection):
            raise CommandError(
                f"The chain is whole, but nothing in the database refuses {' or '.join(verbs)} of records: its triggers"
                " are missing, as after a restore without them. Run hawser_audit restore-triggers."
            )
        self.stdout.write(f"ok: {verdict['records']} records, head {head['seq']} {head['hash']}")

    def _export(self, options: dict[str, Any]) -> None:
        form = options["format"]
        services.record(actor="command line", action="cli:audit:export", facts={"format": form})
        rows = selectors.filtered({})
        for line in selectors.export_csv(rows) if form == "csv" else selectors.export_jsonl(rows):
            self.stdout.write(line, ending="")

    def _head(self, _options: dict[str, Any]) -> None:
        self.stdout.write(signed_heads.current().line)

    def _anchor(self, options: dict[str, Any]) -> None:
        try:
            head = signed_heads.append(Path(options["file"]))
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be appended to: {error}") from error
        self.stdout.write(f"appended head {head.seq} {head.hash}")

    def _restore_triggers(self, _options: dict[str, Any]) -> None:
        try:
            triggers.reinstall(connection)
        except DatabaseError as error:
            raise CommandError(
                f"Refused by the server: {error}. The account of HAWSER_MIGRATE_DATABASE_URL needs TRIGGER, and the"
                " server log_bin_trust_function_creators=ON where its binary log is on."
            ) from error
        services.record(actor="command line", action="cli:audit:restore_triggers")
        self.stdout.write("the triggers of the audit record are there")

    def _sign_head(self, options: dict[str, Any]) -> None:
        verdict = verify()
        services.record(
            actor="command line",
            action="cli:audit:sign_head",
            reason=options["reason"],
            facts={name: verdict[name] for name in ("ok", "first_bad_seq", "reason", "detail")},
        )
        with transaction.atomic():
            heads.sign(heads.locked_head())
        self.stdout.write("signed the head; what verify said before stands in the record")


def _verdict(external_heads: list[SignedHead], *, is_full: bool) -> dict[str, Any]:
    if not is_full:
        return verify_further(external_heads)
    walk = full_walk.walk_all(external_heads)
    return verdict_of(walk.found, walk.end, full_checked_at=None)
