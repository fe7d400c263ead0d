"""The signature of a release: by one key, of these checksums, and no release goes out without one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deploy.release import checksums, signature
from deploy.release.errors import ReleaseError


def _key(folder: Path, name: str) -> tuple[Path, Path]:
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    for command in (["genpkey", "-algorithm", "ed25519", "-out"], ["pkey", "-in", str(private), "-pubout", "-out"]):
        to = private if command[0] == "genpkey" else public
        subprocess.run(["openssl", *command, str(to)], check=True, capture_output=True)
    return private, public


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with an archive and its checksums."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "hawser-1.0.tar.gz").write_bytes(b"an archive")
    checksums.write_checksums(folder)
    return folder


def test_signature__of_the_key_and_these_checksums__is_right_and_no_other(files: Path, tmp_path: Path) -> None:
    private, public = _key(tmp_path, "own")
    _, other = _key(tmp_path, "other")
    assert not signature.is_right(files, public)
    signature.sign(files, private)
    assert signature.is_right(files, public)
    assert not signature.is_right(files, other)
    (files / "hawser-1.0.tar.gz").write_bytes(b"a forged archive")
    checksums.write_checksums(files)
    assert not signature.is_right(files, public)
    assert len(signature.fingerprint(private)) == 64


def test_page__what_it_says_to_verify_by__does_so(files: Path, tmp_path: Path) -> None:
    private, public = _key(tmp_path, "own")
    signature.sign(files, private)
    page = (Path(__file__).parents[2] / "docs/how-to/install.md").read_text()
    lines = [line.strip() for line in page.splitlines() if line.strip().startswith(("openssl pkeyutl", "sha256sum"))]
    command = " && ".join(lines).replace("hawser-release.pub", str(public))
    verified = ["sh", "-euc", command]
    assert subprocess.run(verified, cwd=files, capture_output=True, check=False).returncode == 0
    (files / "hawser-1.0.tar.gz").write_bytes(b"a forged archive")
    assert subprocess.run(verified, cwd=files, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("name", ["none", "missing.pem"])
def test_release__without_a_key__is_not_made(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReleaseError, match="must be signed"):
        signature.require_key(None if name == "none" else tmp_path / name)


def test_key__of_another_kind__refused(files: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no key")
    with pytest.raises(ReleaseError, match="could not sign"):
        signature.sign(files, tmp_path / "text")
    with pytest.raises(ReleaseError, match="no private key"):
        signature.fingerprint(tmp_path / "text")
