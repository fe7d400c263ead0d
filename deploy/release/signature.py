"""The signature of SHA256SUMS: Ed25519 by openssl, which every host of the console has."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from deploy.release.checksums import NAME
from deploy.release.errors import ReleaseError

SIGNATURE = f"{NAME}.sig"


def sign(folder: Path, key: Path) -> Path:
    """Sign the checksums of a release with a private key (PEM)."""
    signature = folder / SIGNATURE
    command = ["openssl", "pkeyutl", "-sign", "-inkey", str(key), "-rawin", "-in", str(folder / NAME)]
    done = subprocess.run([*command, "-out", str(signature)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"No release: {key} could not sign. It must be an Ed25519 key: {done.stderr.strip()}")
    return signature


def require_key(key: Path | None) -> None:
    """Refuse a release that could as well be a forged one."""
    if key is None or not key.is_file():
        raise ReleaseError("No release: it must be signed. Name the private key: make release ARGS='--key FILE'.")


def fingerprint(key: Path) -> str:
    """SHA-256 of the public half, by which a reader of SECURITY.md knows it."""
    done = subprocess.run(
        ["openssl", "pkey", "-in", str(key), "-pubout", "-outform", "DER"], capture_output=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"No release: {key} is no private key that openssl can read.")
    return hashlib.sha256(done.stdout).hexdigest()


def is_right(folder: Path, public_key: Path) -> bool:
    """Whether the signature in the folder is of these checksums and of this key."""
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(public_key), "-rawin", "-in", NAME]
    done = subprocess.run([*command, "-sigfile", SIGNATURE], cwd=folder, capture_output=True, check=False)
    return done.returncode == 0
