"""A file with a fault: refused with the place in it and the remedy, and no password in the answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.registration.declaration.document import PasswordDigests
from backend.registration.declaration.host_file import read_file
from backend.registration.declaration.yaml_text import DeclarationError, parse_yaml
from deploy.services.process import ROOT
from tests.backend.declaration.declared_file import ENVIRONMENT, PASSWORD, TEXT
from tests.support.certificates import DAY, authority


def _read(folder: Path, text: str) -> str:
    """The faults as text; empty where there are none."""
    file = folder / "link.yaml"
    file.write_text(text)
    try:
        read_file(file, PasswordDigests(), ENVIRONMENT)
    except DeclarationError as error:
        return str(error)
    return ""


def test_file__complete__declares_clusters_accounts_and_link(tmp_path: Path) -> None:
    (tmp_path / "link.yaml").write_text(TEXT)
    digest = PasswordDigests()
    declaration = read_file(tmp_path / "link.yaml", digest, ENVIRONMENT)
    milan, rome = declaration.state.clusters
    assert [node.address for node in milan.nodes] == [("127.0.71.1", 1), ("127.0.71.2", 1)]
    assert milan.accounts["operator"].digest == digest(PASSWORD)
    assert declaration.state.links[0].clusters == {milan.name, rome.name}
    assert PASSWORD not in repr(declaration)


def test_digests__of_another_process__differ() -> None:
    assert PasswordDigests()("same") != PasswordDigests()("same")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("port: 1}", "prot: 1}", "clusters[0].nodes[0].prot: Unknown key."),
        ("port: 1}", "port: '1'}", "clusters[0].nodes[0].port: Write a number"),
        ("port: 1}", "port: 70000}", "clusters[0].nodes[0].port: "),
        ("    site: a\n", "", "clusters[0].site: This key is missing. Add it."),
        ("site: a\n", "site: 7\n", "clusters[0].site: Write text, in quotes"),
        ("site: a\n", "site:\n", "clusters[0].site: This key has no value."),
        ("mode: disabled", "mode: off", "clusters[0].tls.mode: Write one of disabled,"),
        ("mode: disabled", "mode: verify_ca", "clusters[0].tls.ca_file: "),
        ("mode: disabled", "mode: verify_ca, ca_file: none.pem", "clusters[0].tls.ca_file: "),
        ("name: rome\n", "name: milan\n", "clusters[1].name: clusters[0] has this name already."),
        ("name: b1,", "name: b2,", "clusters[1].nodes[1].name: clusters[1].nodes[0] has this name already."),
        ("127.0.71.11", "127.0.71.1", "clusters[1].nodes[0].host: clusters[0].nodes[0] has this address already."),
        ("127.0.71.11", "169.254.1.1", "clusters[1].nodes[0].host: "),
        ("clusters: [milan, rome]", "clusters: [milan]", "links[0].clusters: "),
        ("clusters: [milan, rome]", "clusters: [milan, milan]", "links[0].clusters: Both sides are the same"),
        ("clusters: [milan, rome]", "clusters: milan", "links[0].clusters: Write a list"),
        ("home: milan", "home: oslo", "links[0].home: This is not a cluster of the link."),
        ("home: milan", "home: milan\n    requires_approval: 1", "links[0].requires_approval: Write true or false"),
        ("home: milan", "home: milan\n    channel_name: 7", "links[0].channel_name: Write the name in quotes."),
        ("home: milan", "home: milan\n    home: rome", "links[0].home: This key stands twice"),
        ("links:", "link:", "link: Unknown key."),
        ("env:M_PASSWORD", "env:NOWHERE", "clusters[0].credentials.monitor.password: The environment variable NOWHERE"),
        ("env:M_PASSWORD", "file:/nowhere", "clusters[0].credentials.monitor.password: /nowhere cannot be read"),
        ("user: u_monitor", 'user: "it\'s"', "clusters[0].credentials.monitor.user: "),
    ],
)
def test_file__with_a_fault__names_the_place_and_the_remedy(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in TEXT
    assert _read(tmp_path, TEXT.replace(old, new, 1)).startswith(expected)


@pytest.mark.parametrize("text", [PASSWORD, f"[{PASSWORD}]", "12345", '"env:"', "file:relative", f"'{PASSWORD}"])
def test_file__password_in_plain_text__refused_and_not_repeated(tmp_path: Path, text: str) -> None:
    found = _read(tmp_path, TEXT.replace("env:M_PASSWORD", text, 1))
    assert found
    assert PASSWORD not in found
    if "'" not in text:
        assert found.startswith("clusters[0].credentials.monitor.password: A password must not stand in the file.")
        assert "env:NAME" in found


@pytest.mark.parametrize(
    ("tls", "key", "sentence"),
    [
        ("cert_file: client.pem", "cert_file", "needs its private key"),
        ("key: env:KEY", "cert_file", "needs its private key"),
        ("cert_file: client.pem, key: env:KEY, key_reference: 'file:/k'", "cert_file", "and not both"),
        ("cert_file: client.pem, key: env:NOWHERE", "key", "NOWHERE is not set"),
        ("cert_file: none.pem, key: env:KEY", "cert_file", "cannot be read"),
        ("cert_file: client.pem, key_reference: 'file:/etc/shadow'", "key_reference", "HAWSER_SECRET_PATHS"),
        ("cert_file: old.pem, key_reference: 'file:/k'", "cert_file", "has ended on"),
    ],
)
def test_file__client_certificate__refused_at_its_key(tmp_path: Path, tls: str, key: str, sentence: str) -> None:
    refused = _refused_tls(tmp_path, tls)
    assert refused.startswith(f"clusters[0].tls.{key}: "), refused
    assert sentence in refused


def test_file__private_key_in_plain_text__refused_and_not_repeated(tmp_path: Path) -> None:
    refused = _refused_tls(tmp_path, f"cert_file: client.pem, key: {PASSWORD}")
    assert refused.startswith("clusters[0].tls.key: A private key must not stand in the file."), refused
    assert PASSWORD not in refused


def test_file__key_of_another_certificate__refused_at_its_place(tmp_path: Path) -> None:
    refused = _refused_tls(tmp_path, "cert_file: client.pem, key: env:OTHER")
    assert refused == "clusters[0].tls.key: This private key does not belong to the client certificate."


def _refused_tls(tmp_path: Path, tls: str) -> str:
    """The faults of a file whose first cluster connects so."""
    ca = authority()
    client, other = ca.signs("hawser"), ca.signs("other")
    (tmp_path / "client.pem").write_text(client.cert)
    (tmp_path / "old.pem").write_text(ca.signs("old", begins=-3 * DAY, ends=-DAY).cert)
    file = tmp_path / "link.yaml"
    file.write_text(TEXT.replace("mode: disabled", f"mode: required, {tls}", 1))
    with pytest.raises(DeclarationError) as refused:
        read_file(file, PasswordDigests(), {**ENVIRONMENT, "KEY": client.key, "OTHER": other.key})
    return str(refused.value)


def test_file__password_file__read_without_the_last_line_break(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{PASSWORD}\n")
    assert _read(tmp_path, TEXT.replace("env:M_PASSWORD", f"file:{tmp_path}/secret")) == ""
    (tmp_path / "secret").write_text(f"{PASSWORD}\nsecond line")
    found = _read(tmp_path, TEXT.replace("env:M_PASSWORD", f"file:{tmp_path}/secret", 1))
    assert "control characters" in found
    assert PASSWORD not in found


@pytest.mark.parametrize("text", ["", "clusters: []\n", "# all commented out\n"])
def test_file__declares_nothing__refused(tmp_path: Path, text: str) -> None:
    assert _read(tmp_path, text) == "The file declares nothing. List clusters, links or both."


def test_file__example_of_the_documentation__is_complete(tmp_path: Path) -> None:
    page = (ROOT / "docs/how-to/apply-a-file.md").read_text()
    example = page.partition("```yaml\n")[2].partition("```")[0]
    for name in ("milan-ca.pem", "rome-ca.pem"):
        (tmp_path / name).write_text(authority().cert)
    names = re.findall(r"env:(\w+)", example)
    (tmp_path / "link.yaml").write_text(example)
    declaration = read_file(tmp_path / "link.yaml", PasswordDigests(), dict.fromkeys(names, PASSWORD))
    assert [link.name for link in declaration.state.links] == ["payments"]
    assert len(names) >= 3


def test_file__missing__named(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match=r"nowhere\.yaml cannot be read"):
        read_file(tmp_path / "nowhere.yaml", PasswordDigests(), ENVIRONMENT)


def test_yaml__key_twice__refused() -> None:
    with pytest.raises(DeclarationError, match="line 3"):
        parse_yaml("nodes: [a, b]\nsite: x\nnodes: [a]\n")


def test_yaml__aliases_that_stand_for_too_much__refused_before_they_are_written_out() -> None:
    with pytest.raises(DeclarationError, match="more than 50000 values"):
        parse_yaml(f"a: &a [{', '.join(['x'] * 300)}]\nb: [{', '.join(['*a'] * 200)}]\n")
    billions = "".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]\n" for n in range(1, 30))
    with pytest.raises(DeclarationError, match="more than 50000 values"):
        parse_yaml(f"k0: &k0 x\n{billions}")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: [", "line 1"),
        ("a: *nothing", "line 1"),
        ("a: &a [*a]", "part of itself"),
        ("a: \x00", "control"),
        ("a: 2026-13-45", "in quotes"),
        ("[" * 100_000, "nested too deeply"),
        ("!!python/object:x {}", "line 1"),
    ],
)
def test_yaml__not_readable__line_named_and_nothing_quoted(text: str, part: str) -> None:
    with pytest.raises(DeclarationError, match=part) as error:
        parse_yaml(text)
    assert "nothing" not in str(error.value)
