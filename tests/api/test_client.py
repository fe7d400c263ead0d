"""The command line client, against the API itself: only the socket between them is replaced."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.plans.kinds import PLAN_KINDS
from backend.operations.runs.models import Plan, Run, RunState
from tests.api.command_line_client import URL, hawser, home, load_client, send
from tests.support.console import Caller

__all__ = ["home"]


@pytest.fixture
def signed_in(operator: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAWSER_URL", URL)
    monkeypatch.setenv("HAWSER_TOKEN", str(operator.token))


def test_login__good_and_bad_token__stored_for_the_owner_alone_or_not_at_all(
    operator: Caller, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("wrong\n"))
    assert hawser.main(["login", URL, "--token-file", "-"]) == 1
    assert not hawser.settings_file().exists()
    token = home / "token"
    token.write_text(f"{operator.token}\n")
    assert hawser.main(["login", URL, "--token-file", str(token)]) == 0
    assert stat.S_IMODE(hawser.settings_file().stat().st_mode) == 0o600
    assert hawser.main(["links"]) == 0
    assert hawser.main(["logout"]) == 0
    assert hawser.main(["links"]) == 2
    assert str(operator.token) not in "".join(capsys.readouterr())


@pytest.mark.parametrize("url", ["http://console.example", "console.example", "file:///etc/passwd"])
def test_console__token_would_leave_unencrypted__refused_before_anything_is_sent(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hawser, "send", lambda *_: pytest.fail("sent"))
    monkeypatch.setenv("HAWSER_URL", url)
    monkeypatch.setenv("HAWSER_TOKEN", "t")
    assert hawser.main(["links"]) == 2


def test_links__text_and_json__names_states_and_the_exit_code_of_one(
    signed_in: None, link: Link, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hawser.main(["links"]) == 0
    assert link.name in capsys.readouterr().out
    assert hawser.main(["links", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == link.name
    assert hawser.main(["link", link.name]) == 3, "never observed: not protected"
    assert hawser.main(["link", "no-such"]) == 2
    assert f"There are: {link.name}." in capsys.readouterr().err


def test_plan__blocked__its_findings_with_remedies_and_exit_code(
    signed_in: None, link: Link, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hawser.main(["plan", link.name, "relocate", "--reason", "test", "--option", "probe=false"]) == 3
    shown = capsys.readouterr().out
    assert "BLOCKER" in shown or "UNKNOWN" in shown
    assert hawser.main(["plan", link.name, "relocate", "--option", "no_such_option=1"]) == 1
    assert "no_such_option" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        hawser.main(["plan", link.name, "relocate", "--option", "probe"])
    assert ended.value.code == 2


def test_run__confirmed_by_name__started_once_and_wrong_names_are_refused(
    signed_in: None, plan: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", plan.id, "--reason", "because of the test"]
    assert hawser.main([*arguments, "--confirm", "another"]) == 1
    assert hawser.main([*arguments, "--confirm", plan.link.name, "--digest", "0" * 64]) == 1
    assert hawser.main(arguments) == 2, "no terminal to type the name at"
    assert not Run.objects.exists()
    assert hawser.main([*arguments, "--confirm", plan.link.name]) == 0
    assert hawser.main([*arguments, "--confirm", plan.link.name]) == 0, "the same call again is the same run"
    assert Run.objects.count() == 1
    assert f"digest {plan.digest}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("state", "code"),
    [(RunState.SUCCEEDED, 0), (RunState.FAILED, 3), (RunState.ABORTED, 3), (RunState.NEEDS_OPERATOR, 3)],
)
def test_follow__run_ends__its_steps_and_an_exit_code_by_its_state(
    signed_in: None, plan: Plan, state: RunState, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hawser.main(["run", plan.id, "--reason", "test", "--confirm", plan.link.name]) == 0
    run = Run.objects.get()
    asked = iter([None, hawser.ClientError("gone", hawser.NO_ANSWER), None])

    def sends(*arguments: Any) -> Any:
        error = next(asked, None)
        if error is not None:
            Run.objects.update(state=state)
            raise error
        return send(*arguments)

    monkeypatch.setattr(hawser, "send", sends)
    monkeypatch.setattr(hawser.time, "sleep", lambda _: None)
    assert hawser.main(["follow", run.id]) == code


def test_follow__console_stays_away__ends_after_its_patience(signed_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def sends(*_: Any) -> Any:
        raise hawser.ClientError("gone", hawser.NO_ANSWER)

    monkeypatch.setattr(hawser, "send", sends)
    monkeypatch.setattr(hawser.time, "sleep", lambda _: None)
    assert hawser.main(["follow", "r_aaaaaaaaaaaa", "--patience", "0.01"]) == 4


def test_approve__by_a_second_person__the_digest_it_saw_is_sent(
    signed_in: None, plan: Plan, as_role: Callable[[str], Caller], monkeypatch: pytest.MonkeyPatch
) -> None:
    Link.objects.update(requires_approval=True)
    assert hawser.main(["run", plan.id, "--reason", "test", "--confirm", plan.link.name]) == 0
    run = Run.objects.get()
    assert run.state == RunState.WAITING_APPROVAL
    assert hawser.main(["approve", run.id, "--comment", "mine"]) == 1, "an operator is no approver"
    monkeypatch.setenv("HAWSER_TOKEN", str(as_role("approver").token))
    sent: list[Any] = []

    def sends(*arguments: Any) -> Any:
        sent.append(json.loads(arguments[3] or b"{}"))
        return send(*arguments)

    monkeypatch.setattr(hawser, "send", sends)
    assert hawser.main(["approve", run.id, "--comment", "read", "--digest", "0" * 64]) == 1
    assert sent[-1] == {"comment": "read", "digest": "0" * 64}
    assert hawser.main(["approve", run.id, "--comment", "read"]) in (0, 1)
    assert sent[-1] == {"comment": "read", "digest": plan.digest}
    monkeypatch.setattr(hawser, "send", send)
    assert hawser.main(["runs", "--link", plan.link.name]) == 0
    assert hawser.main(["history", "--link", plan.link.name]) == 0


def test_approvals__waiting__listed_and_rejected_with_the_digest(
    signed_in: None,
    plan: Plan,
    as_role: Callable[[str], Caller],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Link.objects.update(requires_approval=True)
    approver = as_role("approver")  # older than the request
    assert hawser.main(["run", plan.id, "--reason", "test", "--confirm", plan.link.name]) == 0
    run = Run.objects.get()
    capsys.readouterr()
    assert hawser.main(["approvals"]) == 0
    assert "No run waits for your approval." in capsys.readouterr().out
    assert hawser.main(["approvals", "--all"]) == 0
    assert "1 of 1 missing" in capsys.readouterr().out
    monkeypatch.setenv("HAWSER_TOKEN", str(approver.token))
    assert hawser.main(["approvals"]) == 0
    assert run.id in capsys.readouterr().out
    assert hawser.main(["reject", run.id, "--comment", "no", "--digest", "0" * 64]) == 1
    assert hawser.main(["reject", run.id, "--comment", "no", "--digest", plan.digest]) == 0
    assert Run.objects.get().state == RunState.ABORTED


def test_doctor__parts_that_may_not_be_read__say_so_and_the_file_is_for_its_owner(
    signed_in: None, link: Link, home: Path
) -> None:
    target = home / "doctor.json"
    assert hawser.main(["doctor", "--output", str(target)]) == 0
    found = json.loads(target.read_text())
    assert found[f"/links/{link.id}"]["name"] == link.name
    assert found["/readyz"]["parts"]["database"]["ok"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert hawser.main(["doctor", "--output", str(target)]) == 2


def test_completion__of_each_shell__is_a_script_with_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert hawser.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    typed = f"{script}\nCOMP_WORDS=(hawser plan pay relo); COMP_CWORD=3; _hawser; echo ${{COMPREPLY[@]}}"
    assert subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=True).stdout == "relocate\n"
    assert hawser.main(["completion", "zsh"]) == 0
    assert capsys.readouterr().out.startswith("autoload")


def test_kinds__of_the_client__are_those_of_the_api() -> None:
    assert set(hawser.KINDS) == set(PLAN_KINDS)


def test_send__redirected_elsewhere__the_token_does_not_follow() -> None:
    asked: list[str] = []

    class Redirects(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Redirects) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/api/v1/links"
        status, _ = load_client().send("GET", url, {"Authorization": "Bearer t"}, None, None)
        server.shutdown()
    assert (status, asked) == (302, ["/api/v1/links"])
