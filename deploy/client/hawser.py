#!/usr/bin/env python3
"""`hawser`: plan, confirm and follow operations of a Hawser console, and apply files to it, from a laptop or from CI.

One file, Python's standard library alone. It uses the console's REST API with an API token and nothing else, so that
what it may do is what the token's user may do, and each call is in the console's audit log under that name.

Exit codes: 0 done, 1 refused by the console, 2 wrong use or a file with a fault, 3 a plan has blockers, a run did not
succeed, or `apply --dry-run` found differences, 4 the console does not answer.
"""

from __future__ import annotations

import argparse
import getpass
import hashlib
import json
import os
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

VERSION = "0.1.0"
DONE, REFUSED, WRONG_USE, NOT_SUCCEEDED, NO_ANSWER = range(5)
TIMEOUT_S = 60.0
APPLY_TIMEOUT_S = 600.0
"""Each change of a file is tried on all nodes, which takes seconds where one does not respond."""
FOLLOW_EVERY_S = 0.5
KINDS = (
    "relocate", "start_channel", "create_channels", "remove_stray_channel", "remove_channels", "switchover", "failover",
    "reprotect", "failback", "accept_state_uuid", "configure", "node_maintenance",
    "rotate_passwords", "fence_standby",
)  # fmt: skip
MOVING = ("waiting_approval", "queued", "running")
"""States of a run that `--follow` waits through."""
Json = dict[str, Any]


class ClientError(Exception):
    """What ends the command: a sentence for people, and the exit code."""

    def __init__(self, sentence: str, code: int = REFUSED, body: Any = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.body = body


# --- which console, and under which token ---


def settings_file() -> Path:
    """Where `hawser login` stores address and token."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else Path.home() / ".config") / "hawser" / "client.json"


def stored() -> Json:
    """What `hawser login` stored; empty if it did not."""
    try:
        found: Json = json.loads(settings_file().read_text())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ClientError(f"{settings_file()} is damaged ({error}). Run `hawser login` again.", WRONG_USE) from error
    return found


def store(values: Json) -> None:
    """Store address and token, readable by the owner alone from the first byte on."""
    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        json.dump(values, stream)


def token_from(path: str | None) -> str:
    """A token from a file, from standard input (`-`), or typed."""
    if path == "-":
        return sys.stdin.readline().strip()
    if path:
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise ClientError(f"{path} cannot be read: {error.strerror}.", WRONG_USE) from error
    return getpass.getpass("API token: ").strip()


class Console:
    """The REST API of one console."""

    def __init__(self, url: str, token: str, ca_file: str | None = None) -> None:
        address = urllib.parse.urlsplit(url)
        if address.scheme not in ("https", "http") or not address.netloc:
            raise ClientError(f"{url!r} is no address. Give it as https://console.example", WRONG_USE)
        if address.scheme == "http" and address.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise ClientError("A token is only sent over https, or to this host. Use an https:// address.", WRONG_USE)
        self.api = f"{url.rstrip('/')}/api/v1"
        self.token = token
        self._context = ssl.create_default_context(cafile=ca_file) if address.scheme == "https" else None

    @classmethod
    def chosen(cls) -> Console:
        """From the environment, else from what `hawser login` stored."""
        values = stored()
        url = os.environ.get("HAWSER_URL") or values.get("url")
        file = os.environ.get("HAWSER_TOKEN_FILE")
        token = token_from(file) if file else os.environ.get("HAWSER_TOKEN") or values.get("token")
        if not url or not token:
            raise ClientError(
                "No console is chosen. Run `hawser login URL`, or set HAWSER_URL and HAWSER_TOKEN_FILE.", 2
            )
        return cls(url, token, os.environ.get("HAWSER_CA_FILE") or values.get("ca_file"))

    def get(self, path: str, **query: Any) -> Any:
        """GET; parameters that are None are left out."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._call("GET", f"{path}?{urllib.parse.urlencode(given)}" if given else path)

    def post(self, path: str, body: Json, key: str = "", timeout_s: float = TIMEOUT_S) -> Any:
        """POST; with an idempotency key a repeated call does nothing twice."""
        return self._call("POST", path, body, {"Idempotency-Key": key} if key else {}, timeout_s)

    def _call(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        more: Mapping[str, str] | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **(more or {})}
        headers |= {"User-Agent": f"hawser-client/{VERSION}"}
        data = None if body is None else json.dumps(body).encode()
        headers |= {} if data is None else {"Content-Type": "application/json"}
        status, answer = send(method, self.api + path, headers, data, self._context, timeout_s)
        if status >= 400:
            raise ClientError(sentence_of(status, answer), REFUSED, answer)
        return answer


def send(
    method: str, url: str, headers: Mapping[str, str], data: bytes | None, context: Any, timeout_s: float = TIMEOUT_S
) -> tuple[int, Any]:
    """One request; redirects are refused, because they would carry the token elsewhere."""
    # the scheme is http or https: `Console` refuses others
    request = urllib.request.Request(url, data=data, headers=dict(headers), method=method)  # noqa: S310
    opener = urllib.request.build_opener(NoRedirect(), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(request, timeout=timeout_s) as response:
            return response.status, parsed(response.read())
    except urllib.error.HTTPError as error:
        return error.code, parsed(error.read())
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise ClientError(f"The console at {url} does not answer: {reason}.", NO_ANSWER) from error


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """None: the answer is given to the caller as it is."""
        return


def parsed(content: bytes) -> Any:
    """JSON where it is JSON, else the text."""
    try:
        return json.loads(content) if content else None
    except ValueError:
        return content.decode(errors="replace")


def sentence_of(status: int, answer: Any) -> str:
    """What a problem document says, with its fields and the id that the console's log has."""
    if not isinstance(answer, dict):
        return f"The console answered {status}."
    lines = [str(answer.get("detail") or answer.get("title") or f"The console answered {status}.")]
    errors = [one for one in answer.get("errors") or () if one.get("message") != lines[0]]
    lines += [f"  {one.get('field', '')}: {one.get('message', '')}" for one in errors]
    return "\n".join([*lines, f"({status} {answer.get('code', '')}, request {answer.get('request_id', '')})"])


# --- what is printed ---


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width; the last one is not padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def findings_of(found: Iterable[Json]) -> Iterator[str]:
    """What is in the way first, each with its remedy; what is fine is counted."""
    shown = [one for one in found if one["severity"] in ("blocker", "unknown", "warning")]
    for one in sorted(shown, key=lambda finding: ("blocker", "unknown", "warning").index(finding["severity"])):
        yield f"{one['severity'].upper():8} {one['message']} [{one['code']}]"
        if one.get("remedy"):
            yield f"{'':8} {one['remedy']}"


def plan_text(plan: Json) -> str:
    """A plan as it is to be read before it is confirmed: summary, loss, findings, each step with its SQL."""
    lines = [f"{plan['id']}  {plan['kind']} of {plan['link_name']}  {plan['state']}", plan["summary"]]
    if (plan.get("loss") or {}).get("detail"):
        lines.append(f"Loss: {plan['loss']['detail']}")
    lines += findings_of(plan["findings"])
    for step in plan["steps"]:
        mark = "  POINT OF NO RETURN" if step["point_of_no_return"] else ""
        lines.append(f"{step['index']:3}. {step['title']}{mark}")
        lines += [f"     {step['node']}: {sql}" for sql in step["sql"] or ()]
    return "\n".join([*lines, f"digest {plan['digest']}, valid for {int(plan['expires_in_s'])} s"])


def run_text(run: Json) -> str:
    """Where a run stands."""
    lines = [f"{run['id']}  {run['kind']} of {run['link_name']}  {run['state']}"]
    lines += [run[name] for name in ("outcome", "next_action") if run.get(name)]
    verdict = (run.get("verification") or {}).get("verdict")
    return "\n".join([*lines, *([f"Verification: {verdict}"] if verdict else [])])


def show(options: argparse.Namespace, answer: Any, text: str) -> None:
    """The answer as JSON, or the text for people."""
    print(json.dumps(answer, indent=1) if options.json else text)


# --- the commands ---


def login(options: argparse.Namespace) -> int:
    """Check the token at the console, then store both."""
    console = Console(options.url, token_from(options.token_file), options.ca_file)
    user = console.get("/session")
    store({"url": options.url, "token": console.token, "ca_file": options.ca_file})
    print(f"{options.url} as {user['username']} ({user['role']}), stored in {settings_file()}")
    return DONE


def logout(_options: argparse.Namespace) -> int:
    """Forget address and token; the token stays valid at the console."""
    settings_file().unlink(missing_ok=True)
    print("Forgotten here. To end the token itself, revoke it in the console.")
    return DONE


def link_named(console: Console, name: str) -> Json:
    """The link of that name or id."""
    links = console.get("/links")["results"]
    found = [link for link in links if name in (link["name"], link["id"])]
    if not found:
        raise ClientError(
            f"There is no link {name!r}. There are: {', '.join(link['name'] for link in links)}.", WRONG_USE
        )
    return dict(found[0])


def list_links(options: argparse.Namespace) -> int:
    """All links with their state."""
    links = Console.chosen().get("/links")["results"]
    sides = [f"{one['active_cluster']['name']} > {one['standby_cluster']['name']}" for one in links]
    rows = [(one["name"], one["state"], both, one["sentence"]) for one, both in zip(links, sides, strict=True)]
    show(options, links, table(rows) or "There are no links.")
    return DONE


def show_link(options: argparse.Namespace) -> int:
    """One link with its findings; 3 if it is not protected."""
    console = Console.chosen()
    link = console.get(f"/links/{link_named(console, options.link)['id']}")
    lines = [f"{link['name']}  {link['state']}", link["sentence"], *findings_of(link["findings"])]
    show(options, link, "\n".join(lines))
    return DONE if link["state"] == "protected" else NOT_SUCCEEDED


def make_plan(options: argparse.Namespace) -> int:
    """Create a plan, which changes nothing; 3 if it has blockers."""
    console = Console.chosen()
    body = {"kind": options.kind, "reason": options.reason, "options": dict(options.option)}
    plan = console.post(f"/links/{link_named(console, options.link)['id']}/plans", body)
    show(options, plan, plan_text(plan))
    return DONE if plan["state"] == "ready" else NOT_SUCCEEDED


def confirmed_name(plan: Json, given: str | None) -> str:
    """The link's name, which confirms the plan: by option, or typed after the plan was shown."""
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise ClientError("Confirm with --confirm and the link's name: no terminal is here to type it at.", WRONG_USE)
    return input(f"Type the link's name ({plan['link_name']}) to run this plan: ")


def start_run(options: argparse.Namespace) -> int:
    """Run exactly the plan that is shown; a digest of an earlier look must still be this plan's."""
    console = Console.chosen()
    plan = console.get(f"/plans/{options.plan}")
    if not options.json:
        print(plan_text(plan))
    body = {
        "digest": options.digest or plan["digest"],
        "confirm": confirmed_name(plan, options.confirm),
        "reason": options.reason,
    }
    if options.override_calendar:
        body["override_calendar"] = options.override_calendar
    run = console.post(f"/plans/{plan['id']}/runs", body, key=key_of(plan["id"], body))
    if options.follow:
        return follow(console, run["id"], options)
    show(options, run, run_text(run))
    return DONE


def key_of(plan_id: str, body: Json) -> str:
    """The same confirmation again, as after an answer that was lost, is the same run."""
    return hashlib.sha256(json.dumps([plan_id, body], sort_keys=True).encode()).hexdigest()[:40]


def follow_run(options: argparse.Namespace) -> int:
    """Follow a run to its end."""
    return follow(Console.chosen(), options.run, options)


def follow(console: Console, run_id: str, options: argparse.Namespace) -> int:
    """Print each step as it changes; a console that does not answer for a while is asked again."""
    seen: dict[int, str] = {}
    silent_since: float | None = None
    while True:
        try:
            run, silent_since = console.get(f"/runs/{run_id}"), None
        except ClientError as error:
            silent_since = silent_since or time.monotonic()
            if error.code != NO_ANSWER or time.monotonic() - silent_since > options.patience:
                raise
            time.sleep(1)
            continue
        for step in run["steps"]:
            if not options.json and seen.get(step["index"], "pending") != step["state"]:
                seen[step["index"]] = step["state"]
                print(f"{step['index']:3}. {step['state']:10} {step['title']}", flush=True)
        if run["state"] not in MOVING:
            show(options, run, run_text(run))
            return DONE if run["state"] == "succeeded" else NOT_SUCCEEDED
        time.sleep(FOLLOW_EVERY_S)


def decide(options: argparse.Namespace) -> int:
    """Approve, reject, abort, resume or review a run."""
    console = Console.chosen()
    body = {"comment": options.comment}
    if options.decision in ("approve", "reject"):
        shown = console.get(f"/runs/{options.run}")
        print(run_text(shown) if not options.json else "", end="" if options.json else "\n")
        body["digest"] = options.digest or shown["plan_digest"]
    run = console.post(f"/runs/{options.run}/{options.decision}", body)
    if options.follow:
        return follow(console, options.run, options)
    show(options, run, run_text(run))
    return DONE


def list_approvals(options: argparse.Namespace) -> int:
    """The runs that wait for this user's approval, or for anybody's."""
    waiting = Console.chosen().get("/waiting", mine=None if options.all else "true")["runs"]
    rows = [
        (
            one["run_id"],
            one["link_name"],
            one["kind"],
            f"{one['approvals_missing']} of {one['approvals_needed']} missing",
            f"until {(one['expires_at'] or '')[:19]}",
            f"by {one['requested_by']}",
        )
        for one in waiting
    ]
    show(options, waiting, table(rows) or "No run waits for your approval.")
    return DONE


def list_runs(options: argparse.Namespace) -> int:
    """The newest runs."""
    console = Console.chosen()
    link = link_named(console, options.link)["id"] if options.link else None
    runs = console.get("/runs", link=link, state=options.state, limit=options.limit)["results"]
    rows = [(one["id"], one["created_at"][:19], one["link_name"], one["kind"], one["state"]) for one in runs]
    show(options, runs, table(rows) or "There are no runs.")
    return DONE


def history(options: argparse.Namespace) -> int:
    """What was switched, by whom and why."""
    console = Console.chosen()
    link = link_named(console, options.link)["id"] if options.link else None
    entries = console.get("/history", link=link, limit=options.limit)["results"]
    show(
        options, entries, "\n".join(f"{one['created_at'][:19]}  {one['sentence']}" for one in entries) or "Nothing yet."
    )
    return DONE


def rehearse(options: argparse.Namespace) -> int:
    """Rehearse an operation: everything of it but its changes; 3 if it failed."""
    console = Console.chosen()
    path = f"/links/{link_named(console, options.link)['id']}/rehearsals"
    done = console.post(path, {"kind": options.kind})
    show(
        options, done, "\n".join([f"{done['kind']} {done['state']}", done["sentence"], *findings_of(done["findings"])])
    )
    return DONE if done["state"] == "passed" else NOT_SUCCEEDED


def doctor(options: argparse.Namespace) -> int:
    """What the API tells a support engineer, as one JSON file; parts that this token may not read say so."""
    console = Console.chosen()
    paths = ("/readyz", "/links", "/clusters", "/runs?limit=20", "/waiting", "/history?limit=50", "/metrics")
    found = {path: answer_or_error(console, path) for path in paths}
    links = found["/links"].get("results", []) if isinstance(found["/links"], dict) else []
    found |= {path: answer_or_error(console, path) for path in (f"/links/{link['id']}" for link in links)}
    try:
        descriptor = os.open(options.output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ClientError(f"{options.output} cannot be written: {error.strerror}.", WRONG_USE) from error
    with os.fdopen(descriptor, "w") as stream:
        json.dump(found, stream, indent=1)
    print(f"{options.output}: {', '.join(found)}. `hawser_doctor` on the console's host collects more.")
    return DONE


def apply(options: argparse.Namespace) -> int:
    """Compare a file with the registration, show the differences, and make exactly those once they are confirmed."""
    console, file = Console.chosen(), Path(options.file)
    body: Json = {
        "document": local_text(file),
        "references": {},
        "prune": options.prune,
        "accept_unreachable": options.accept_unreachable,
    }
    found = compared(console, body, file)
    if options.dry_run or not found["changes"]:
        show(options, found, changes_text(found))
        return NOT_SUCCEEDED if found["changes"] else DONE
    if not options.json:
        print(changes_text(found), flush=True)
    confirm_file(file, options.confirm)
    confirmed = {"digest": options.digest or found["digest"], "reason": options.reason or f"declared in {file.name}"}
    done = applied(console, {**body, **confirmed})
    show(options, done, changes_text(done))
    return REFUSED if any(one["outcome"] == "refused" for one in done["changes"]) else DONE


def compared(console: Console, body: Json, file: Path) -> Json:
    """The differences. Asked without any value first; then with those that the console misses, if the file names them.

    `body` keeps the values. A fault of the file is wrong use.
    """
    try:
        found = console.post("/declarations", body)
        if found["missing_references"]:
            body["references"] = values_of(body["document"], file.parent, found["missing_references"])
            found = console.post("/declarations", body)
    except ClientError as error:
        if isinstance(error.body, dict) and error.body.get("code") == "declaration_invalid":
            error.code = WRONG_USE
        raise
    if not found["digest"]:
        raise ClientError("The console misses values that were sent. Nothing was changed.", REFUSED, found)
    return dict(found)


def applied(console: Console, body: Json) -> Json:
    """What was done. After a lost answer it is unknown what was; the differences tell it."""
    try:
        return dict(console.post("/declarations/apply", body, timeout_s=APPLY_TIMEOUT_S))
    except ClientError as error:
        if error.code != NO_ANSWER:
            raise
        sentence = f"{error} Whether changes were made is unknown. Repeat with --dry-run: it shows what is left."
        raise ClientError(sentence, NO_ANSWER) from error


def values_of(document: str, folder: Path, missing: Iterable[Json]) -> dict[str, str]:
    """The values of these references, each only if the document itself names it: the console chooses no file here."""
    values: dict[str, str] = {}
    for name in dict.fromkeys(str(one["name"]) for one in missing):
        if re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*|file:/.+", name) and is_secret(document, name):
            values[name] = secret_of(name)
        elif any(is_named(document, key, name) for key in ("ca_file", "cert_file")):
            values[name] = local_text(folder / name)
        else:
            sentence = f"The console asks for {name!r}, which the file does not name. Nothing was read or sent for it."
            raise ClientError(f"{sentence} Write each reference in one piece after its key.", WRONG_USE)
    return values


def is_secret(document: str, name: str) -> bool:
    """Whether the whole name says where a password or a private key is."""
    return any(is_named(document, key, name) for key in ("password", "key"))


def is_named(document: str, key: str, name: str) -> bool:
    """Whether the whole name is the value of such a key. What is in a comment does not count.

    A comma ends a value only between braces; elsewhere it is a part of the value.
    """
    text = re.sub(r"(?m)(^|\s)#.*$", "", document)
    value = rf"""(?P<quote>["']?){re.escape(name)}(?P=quote)(?P<end>\s*[,}}\]]|\s*$)"""
    found = re.finditer(rf"""(?m)\b{key}["']?\s*:\s*(?:&\S+\s+)?{value}""", text)
    return any(not one["end"].strip() or has_open_brace(text[: one.start()]) for one in found)


def has_open_brace(text: str) -> bool:
    """Whether what follows the text stands between braces."""
    return text.count("{") > text.count("}")


def secret_of(name: str) -> str:
    """From the environment, or from a file."""
    source, _, where = name.partition(":")
    if source == "file":
        return local_text(Path(where))
    if where not in os.environ:
        raise ClientError(f"The environment variable {where} is not set. Set it for this command.", WRONG_USE)
    return os.environ[where]


def local_text(file: Path) -> str:
    """A file of this machine."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ClientError(f"{file} cannot be read: {error.strerror}.", WRONG_USE) from error
    except UnicodeDecodeError as error:
        raise ClientError(f"{file} is not UTF-8 text.", WRONG_USE) from error


def confirm_file(file: Path, given: str | None) -> None:
    """The file's name confirms the differences: by option, or typed after they were shown."""
    if given is None and not sys.stdin.isatty():
        raise ClientError("Confirm with --confirm and the file's name: no terminal is here to type it at.", WRONG_USE)
    typed = given if given is not None else input(f"Type the file's name ({file.name}) to apply it: ")
    if typed != file.name:
        raise ClientError(f"Nothing was changed. The file's name is {file.name}.", WRONG_USE)


def changes_text(found: Json) -> str:
    """Each change with its fields and outcome, and last the summary."""
    lines = [line for one in found["changes"] for line in change_lines(one)]
    lines += [
        f"! node {one['cluster']}/{one['name']} is registered and not in the file. --prune removes it."
        for one in found["undeclared_nodes"]
    ]
    digest = [f"digest {found['digest']}"] if found.get("digest") and found["changes"] else []
    return "\n".join([*lines, found["summary"], *digest])


def change_lines(one: Json) -> Iterator[str]:
    """One change as `hawser_apply` prints it."""
    sign = {"add": "+", "change": "~", "remove": "-"}[one["operation"]]
    name = f"{one['cluster']}/{one['name']}" if one["object"] in ("account", "node") else one["name"]
    outcome = "" if one["outcome"] == "planned" else f"  [{one['outcome'].replace('_', ' ')}]"
    yield f"{sign} {one['object']} {name}{outcome}"
    for field, values in one["fields"].items():
        before, after = (shown_value(values[when]) for when in ("before", "after"))
        shown = {"add": after, "remove": before}.get(one["operation"], f"{before} -> {after}")
        yield f"    {field}: {after if field == 'password' else shown}"
    if one["note"]:
        yield f"    {one['note']}"


def shown_value(value: Any) -> str:
    """A truth value as in the file; an empty text in quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def answer_or_error(console: Console, path: str) -> Any:
    """The answer, or the refusal as text."""
    try:
        return console.get(path)
    except ClientError as error:
        if error.code == NO_ANSWER:
            raise
        return {"error": str(error)}


def completion(options: argparse.Namespace) -> int:
    """A completion script for bash or zsh, made from the commands themselves."""
    cases = "\n".join(
        f'      {name}) words="{" ".join(completions)}" ;;' for name, completions in options.completions.items()
    )
    start = "autoload -U +X bashcompinit && bashcompinit\n" if options.shell == "zsh" else ""
    print(COMPLETION.format(start=start, commands=" ".join(options.completions), cases=cases))
    return DONE


COMPLETION = """{start}_hawser() {{
  local words="{commands}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -F _hawser hawser"""


# --- the command line ---


def option_of(text: str) -> tuple[str, Any]:
    """NAME=VALUE of a plan's option; the value is JSON, or a plain text."""
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, for example accept_loss=true")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def parser_of_commands() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="hawser", description="Plan, confirm and follow operations of Hawser over its REST API."
    )
    parser.add_argument("--version", action="version", version=f"hawser-client {VERSION}")
    add = Commands(parser)

    one = add("login", login, "check an API token at the console and store it")
    one.add_argument("url", metavar="URL", help="address of the console, for example https://console.example")
    one.add_argument(
        "--token-file", metavar="FILE", help="file with the token; - for standard input; typed if left out"
    )
    one.add_argument("--ca-file", metavar="FILE", help="certificates that the console's is to be verified with")
    add("logout", logout, "forget address and token")

    add("links", list_links, "list the links with their state", json=True)
    one = add("link", show_link, "show a link with its findings; exit code 3 if it is not protected", json=True)
    one.add_argument("link", metavar="LINK", help="name or id")

    one = add("plan", make_plan, "create a plan, which changes nothing; exit code 3 if it has blockers", json=True)
    one.add_argument("link", metavar="LINK", help="name or id")
    one.add_argument("kind", choices=KINDS, help="the operation")
    one.add_argument("--reason", default="", help="why; stored in the audit log")
    one.add_argument(
        "--option", metavar="NAME=JSON", type=option_of, action="append", default=[], help="may be repeated"
    )

    one = add("run", start_run, "run a plan, which is shown and confirmed first", json=True, follow=True)
    one.add_argument("plan", metavar="PLAN", help="id of the plan")
    one.add_argument("--reason", required=True, help="why; stored in the audit log")
    one.add_argument("--confirm", metavar="NAME", help="the link's name; typed if left out")
    one.add_argument("--digest", help="digest of the plan as it was looked at; refused if it is another one")
    one.add_argument("--override-calendar", metavar="REASON", default="", help="start it in spite of the calendar")

    one = add("follow", follow_run, "follow a run to its end; exit code 3 if it does not succeed", json=True)
    one.add_argument("run", metavar="RUN", help="id of the run")
    patience(one)
    for decision, meaning in (
        ("approve", "approve a run as second person"),
        ("reject", "reject a run that waits for approval"),
        ("abort", "abort a run before its point of no return"),
        ("resume", "resume a run that stopped for an operator"),
        ("review", "review a run that was started without a second person"),
    ):
        one = add(decision, decide, meaning, json=True, follow=True)
        one.parser.set_defaults(decision=decision)
        one.add_argument("run", metavar="RUN", help="id of the run")
        one.add_argument("--comment", required=True, help="stored in the audit log")
        if decision in ("approve", "reject"):
            one.add_argument("--digest", help="digest of the plan as it was looked at")

    one = add("approvals", list_approvals, "list the runs that wait for your approval", json=True)
    one.add_argument("--all", action="store_true", help="also those that you cannot approve")
    one = add("runs", list_runs, "list the newest runs", json=True)
    one.add_argument("--link", metavar="LINK", help="only of this link")
    one.add_argument("--state", help="only in this state")
    one.add_argument("--limit", type=int, default=20, help="at most so many (20)")
    one = add("history", history, "list what was switched, by whom and why", json=True)
    one.add_argument("--link", metavar="LINK", help="only of this link")
    one.add_argument("--limit", type=int, default=20, help="at most so many (20)")
    one = add("rehearse", rehearse, "rehearse an operation without changing anything; 3 if it fails", json=True)
    one.add_argument("link", metavar="LINK", help="name or id")
    one.add_argument("kind", choices=KINDS, help="the operation")
    one = add("apply", apply, "apply a file that declares clusters and links, shown and confirmed first", json=True)
    one.add_argument("-f", "--file", metavar="FILE", required=True, help="YAML file")
    one.add_argument("--dry-run", action="store_true", help="show the differences alone; exit code 3 if there are any")
    one.add_argument("--prune", action="store_true", help="remove nodes that a declared cluster no longer lists")
    one.add_argument("--accept-unreachable", action="store_true", help="store it although some nodes do not respond")
    one.add_argument("--reason", help="why; stored in the audit log; names the file if left out")
    one.add_argument("--confirm", metavar="NAME", help="the file's name; typed if left out")
    one.add_argument("--digest", help="digest of the differences as they were looked at; refused if it is another one")
    one = add("doctor", doctor, "collect what the API tells a support engineer in one file")
    one.add_argument(
        "--output", metavar="FILE", default="hawser-doctor.json", help="must not exist (hawser-doctor.json)"
    )
    one = add("completion", completion, "print a completion script")
    one.add_argument("shell", choices=("bash", "zsh"), help="the shell")
    return parser


class Commands:
    """Adds commands to the parser, and remembers the completions that may follow each."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.completions: dict[str, list[str]] = {}
        self._commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def __call__(self, name: str, action: Any, meaning: str, *, json: bool = False, follow: bool = False) -> Command:
        """The parser of a new command."""
        added = Command(
            self._commands.add_parser(name, help=meaning, description=meaning), self.completions.setdefault(name, [])
        )
        added.parser.set_defaults(action=action, completions=self.completions)
        if json:
            added.add_argument("--json", action="store_true", help="print the response of the API")
        if follow:
            added.add_argument(
                "--follow", action="store_true", help="follow the run; exit code 3 if it does not succeed"
            )
            patience(added)
        return added


class Command:
    """One command's parser."""

    def __init__(self, parser: argparse.ArgumentParser, completions: list[str]) -> None:
        self.parser = parser
        self._completions = completions

    def add_argument(self, *names: str, **values: Any) -> None:
        """An argument; its flag or its choices may be completed."""
        self._completions += [names[-1]] if names[-1].startswith("-") else values.get("choices", ())
        self.parser.add_argument(*names, **values)


def patience(command: Command) -> None:
    """How long a console may be silent while a run is followed."""
    command.add_argument("--patience", type=float, default=60.0, metavar="S", help="seconds without an answer (60)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = parser_of_commands().parse_args(arguments)
    try:
        return int(options.action(options))
    except ClientError as error:
        if getattr(options, "json", False) and error.body is not None:
            print(json.dumps(error.body, indent=1))
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("Interrupted. A run that was started goes on: `hawser runs` shows it.", file=sys.stderr)
        return NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
