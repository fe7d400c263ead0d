"""`hawser apply`: it reads here what the file names and nothing else, and applies what was shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, CredentialRole, Link
from backend.clusters.selectors import account
from deploy.client import hawser as imported
from tests.api.command_line_client import URL, hawser, home, send
from tests.backend.declaration.declared_file import PASSWORD, TEXT
from tests.support.console import Caller

__all__ = ["home"]
CHANGED = TEXT.replace("home: milan", "home: rome")


@pytest.fixture
def file(home: Path, admin: Caller, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, its password in the environment, and an administrator's token."""
    monkeypatch.setenv("HAWSER_URL", URL)
    monkeypatch.setenv("HAWSER_TOKEN", str(admin.token))
    monkeypatch.setenv("M_PASSWORD", PASSWORD)
    path = home / "link.yaml"
    path.write_text(TEXT)
    return path


def _apply(file: Path, *options: str) -> int:
    return int(hawser.main(["apply", "-f", str(file), *options]))


def test_apply__confirmed__registered_and_then_no_difference(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _apply(file, "--dry-run") == 3
    shown = capsys.readouterr().out
    assert "+ cluster milan\n    site: a\n" in shown
    assert "3 changes to make, in this order. Nothing was changed.\ndigest " in shown
    assert not Cluster.objects.exists()
    assert _apply(file) == 2, "no terminal to type the name at"
    assert _apply(file, "--confirm", "other.yaml") == 2
    assert _apply(file, "--confirm", "link.yaml", "--digest", "0" * 64) == 1
    assert not Cluster.objects.exists()
    assert _apply(file, "--confirm", "link.yaml", "--reason", "new site") == 0
    assert AuditRecord.objects.get(action="api:link:register").reason == "new site"
    assert account(Cluster.objects.get(name="milan"), CredentialRole.MONITOR) == ("u_monitor", PASSWORD)
    assert _apply(file, "--dry-run") == 0
    assert _apply(file) == 0, "nothing to confirm"
    output = "".join(capsys.readouterr())
    assert output.count("No differences. Nothing was changed.\n") == 2
    assert PASSWORD not in shown + output


def test_apply__refused_by_the_console__outcomes_and_exit_code(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _apply(file, "--confirm", "link.yaml") == 0
    file.write_text(CHANGED.replace("user: u_monitor", "user: m2"))
    capsys.readouterr()
    assert _apply(file, "--confirm", "link.yaml") == 1
    shown = capsys.readouterr().out
    assert "~ account milan/monitor  [refused]\n    user: u_monitor -> m2\n    password: unchanged\n" in shown
    assert "~ link payments  [not done]\n    home: milan -> rome\n" in shown
    assert _apply(file, "--confirm", "link.yaml", "--accept-unreachable", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert {one["outcome"] for one in answer["changes"]} == {"done"}
    assert Link.objects.get().home_cluster == Cluster.objects.get(name="rome")


def test_apply__changed_while_it_was_read__refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _apply(file, "--confirm", "link.yaml") == 0
    file.write_text(CHANGED)

    def types(_: str) -> str:
        Link.objects.update(version=7)
        return "link.yaml"

    monkeypatch.setattr("builtins.input", types)
    monkeypatch.setattr(hawser.sys.stdin, "isatty", lambda: True, raising=False)
    assert _apply(file) == 1
    assert Link.objects.get().home_cluster == Cluster.objects.get(name="milan")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("port: 1}", "port: x}", "document.clusters[0].nodes[0].port: Write a number"),
        ("env:M_PASSWORD", "env:NOWHERE", "The environment variable NOWHERE is not set."),
        ("env:M_PASSWORD", "file:/nowhere", "/nowhere cannot be read"),
    ],
)
def test_apply__file_with_a_fault__wrong_use_with_the_place(
    file: Path, old: str, new: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(TEXT.replace(old, new, 1))
    assert _apply(file) == 2
    assert expected in capsys.readouterr().err


def test_values__named_by_the_file__read_from_the_environment_and_beside_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "secret").write_text("p2\n")
    (home / "milan-ca.pem").write_text("PEM")
    monkeypatch.setenv("ONE", "p1")
    document = (
        f"tls: {{mode: required, ca_file: milan-ca.pem}}\npassword: env:ONE\n'password': &x \"file:{home}/secret\""
    )
    missing = [{"name": name} for name in ("env:ONE", f"file:{home}/secret", "milan-ca.pem", "env:ONE")]
    assert hawser.values_of(document, home, missing) == {
        "env:ONE": "p1",
        f"file:{home}/secret": "p2\n",
        "milan-ca.pem": "PEM",
    }


@pytest.mark.parametrize(
    ("document", "asked"),
    [
        ("password: env:ONE", "file:/etc/shadow"),
        ("password: env:ONE", "env:HAWSER_TOKEN"),
        ("password: env:ONE_AND_MORE", "env:ONE"),
        ("password: file:/etc/hawser/secret", "file:/etc/hawser"),
        ("ca_file: certs/rome-ca.pem", "rome-ca.pem"),
        ("ca_file: certs/rome-ca.pem", "certs"),
        ("ca_file: rome,ca.pem", "rome"),
        ("name: /etc/shadow", "/etc/shadow"),
        ("# password: file:/etc/shadow", "file:/etc/shadow"),
        ("site: a # password: env:ONE", "env:ONE"),
        ("ca_file: env:ONE", "/etc/shadow"),
        ("ca_file: a.pem", "."),
        ("ca_file: a.pem", ""),
    ],
)
def test_values__asked_by_a_hostile_console__nothing_is_read_or_sent(
    file: Path, document: str, asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(document)
    monkeypatch.setenv("ONE", "canary")
    sent: list[Any] = []

    def hostile(method: str, url: str, headers: Any, data: bytes, *_: Any) -> tuple[int, Any]:
        sent.append(json.loads(data))
        return 200, {"missing_references": [{"path": "", "name": asked}], "digest": None, "changes": []}

    monkeypatch.setattr(hawser, "send", hostile)
    read = Path.read_text
    opened: list[Path] = []
    monkeypatch.setattr(Path, "read_text", lambda self, **given: (opened.append(self), read(self, **given))[1])
    assert _apply(file, "--dry-run") == 2
    assert "which the file does not name" in capsys.readouterr().err
    assert [one["references"] for one in sent] == [{}]
    assert [one for one in opened if one.name != "client.json"] == [file]


def test_values__of_a_client_certificate__read_by_its_keys_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (home / "client.pem").write_text("PEM")
    monkeypatch.setenv("KEY", "canary")
    document = "tls: {mode: required, cert_file: client.pem, key: env:KEY, key_reference: vault:kv/a#b}"
    missing = [{"name": "client.pem"}, {"name": "env:KEY"}]
    assert hawser.values_of(document, home, missing) == {"client.pem": "PEM", "env:KEY": "canary"}
    for text in ("key_reference: env:KEY", "cert_file: env:KEY", "mode: required # key: env:KEY"):
        with pytest.raises(imported.ClientError, match="which the file does not name"):
            imported.values_of(text.replace("cert_file: env:KEY", "site: env:KEY"), tmp_path, [{"name": "env:KEY"}])


def test_values__not_named_by_the_file__never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWO", "canary")
    (tmp_path / "secret").write_text("canary")
    for asked in ("env:TWO", f"file:{tmp_path}/secret", "secret"):
        with pytest.raises(imported.ClientError, match="which the file does not name"):
            imported.values_of("password: env:ONE\nca_file: a.pem\n", tmp_path, [{"name": asked}])


def test_values__asked_for_again__the_command_ends(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    def forgets(method: str, url: str, headers: Any, data: bytes, *_: Any) -> tuple[int, Any]:
        sent.append(data)
        return 200, {"missing_references": [{"path": "", "name": "env:M_PASSWORD"}], "digest": None, "changes": []}

    monkeypatch.setattr(hawser, "send", forgets)
    assert _apply(file) == 1
    assert len(sent) == 2


def test_apply__answer_is_lost__says_that_the_outcome_is_unknown(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(method: str, url: str, *given: Any) -> Any:
        answer = send(method, url, *given)
        if url.endswith("/apply"):
            raise hawser.ClientError("The console does not answer: timed out.", hawser.NO_ANSWER)
        return answer

    monkeypatch.setattr(hawser, "send", lost)
    assert _apply(file, "--confirm", "link.yaml") == 4
    assert "Whether changes were made is unknown." in capsys.readouterr().err
    monkeypatch.setattr(hawser, "send", send)
    assert _apply(file, "--dry-run") == 0
