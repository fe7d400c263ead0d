"""`hawser_audit` verifies, exports or anchors the audit log without the web, and creates its triggers again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction

from backend.audit import guard, heads, selectors, services, triggers
from backend.audit.verification import full_walk, signed_heads
from backend.audit.verification.signed_heads import SignedHead, SignedHeadError
from backend.audit.verification.walk import verdict_of, verify, verify_further
from backend.common.commands import ConsoleCommand
from backend.core.plural import pluralize


class Command(ConsoleCommand):
    """`hawser_audit verify` exits 1 at the first damage; `export` and `head` write to standard output."""

    help = "Verify the audit log, export it, or store its signed head outside of the database."
    examples = (
        "hawser_audit verify --full --head /mnt/other-host/heads.jsonl",
        "hawser_audit export --format csv > audit.csv",
        "hawser_audit anchor --file /mnt/other-host/heads.jsonl",
        'hawser_audit sign-head --reason "restored from the backup of Monday"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One parser per verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, help="what to do with the audit log")
        verify = verbs.add_parser("verify", help="check the records since the last verified one, and the head")
        verify.add_argument("--full", action="store_true", help="check all records, from the first one")
        verify.add_argument(
            "--head", action="append", default=[], metavar="FILE", help="file written by `anchor`; may be repeated"
        )
        export = verbs.add_parser("export", help="print all records, oldest first")
        export.add_argument("--format", choices=["jsonl", "csv"], default="jsonl", help="jsonl (default) or csv")
        verbs.add_parser("head", help="print the signed head as one line of JSON")
        anchor = verbs.add_parser("anchor", help="append the signed head to a file, best on the disk of another host")
        anchor.add_argument("--file", required=True, help="file to append to")
        verbs.add_parser("restore-triggers", help="create the triggers again, for example after a restore")
        sign = verbs.add_parser("sign-head", help="accept a head that Hawser did not sign, and record the verdict")
        sign.add_argument("--reason", required=True, help="reason, stored in the audit log")

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
            bad = f"record {verdict['first_bad_seq']} is the first damaged one ({verdict['reason']})"
            raise CommandError(f"The chain is broken: {bad}. {verdict['detail']}")
        if verbs := guard.unguarded(connection):
            raise CommandError(
                f"The chain is intact, but the database does not refuse {' or '.join(verbs)} of records. Its triggers"
                " are missing, for example after a restore. Run hawser_audit restore-triggers."
            )
        self.stdout.write(f"ok: {pluralize(verdict['records'], 'record')}, head {head['seq']} {head['hash']}")

    def _export(self, options: dict[str, Any]) -> None:
        form = options["format"]
        services.record(actor="command line", action="cli:audit:export", facts={"format": form})
        rows = selectors.filtered({}, None)
        for line in selectors.export_csv(rows) if form == "csv" else selectors.export_jsonl(rows):
            self.stdout.write(line, ending="")

    def _head(self, _options: dict[str, Any]) -> None:
        self.stdout.write(signed_heads.current().line)

    def _anchor(self, options: dict[str, Any]) -> None:
        try:
            head = signed_heads.append(Path(options["file"]))
        except OSError as error:
            raise CommandError(f"Could not append to {options['file']}: {error}") from error
        self.stdout.write(f"appended head {head.seq} {head.hash}")

    def _restore_triggers(self, _options: dict[str, Any]) -> None:
        try:
            triggers.reinstall(connection)
        except DatabaseError as error:
            raise CommandError(
                f"The server refused to create the triggers: {error}. The account of HAWSER_MIGRATE_DATABASE_URL needs"
                " TRIGGER. A server with a binary log also needs log_bin_trust_function_creators=ON."
            ) from error
        services.record(actor="command line", action="cli:audit:restore_triggers")
        self.stdout.write("created the triggers of the audit log")

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
        self.stdout.write("signed the head and recorded the verdict of the verification before it")


def _verdict(external_heads: list[SignedHead], *, is_full: bool) -> dict[str, Any]:
    if not is_full:
        return verify_further(external_heads)
    walk = full_walk.walk_all(external_heads)
    return verdict_of(walk.found, walk.end, full_checked_at=None)
