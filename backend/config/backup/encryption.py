"""Encrypts an archive to age recipients while it is written, and opens it for who holds an identity.

The format is age v1 (https://age-encryption.org/v1), so that the program `age` opens an archive, too. The host that
makes backups knows the recipient alone: it opens nothing of what was written.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import pyrage

from backend.config.backup.errors import BackupError

SUFFIX: Final = ".age"
_HEADER: Final = b"age-encryption.org/v1\n"


def read_recipients(texts: Sequence[str]) -> list[pyrage.x25519.Recipient]:
    """Recipients of `age1…`; raises BackupError naming the one that is none."""
    found = []
    for text in texts:
        try:
            found.append(pyrage.x25519.Recipient.from_str(text.strip()))
        except pyrage.RecipientError as error:
            raise BackupError(
                f"--recipient {text[:20]} is no recipient of age ({error}): age-keygen prints one, age1…"
            ) from error
    return found


def read_identities(path: Path | None) -> list[pyrage.x25519.Identity]:
    """Identities of a file as age-keygen writes it, none without a file; raises BackupError, which shows no line."""
    if path is None:
        return []
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BackupError(f"The identity file {path} cannot be read: {error}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        try:
            found.append(pyrage.x25519.Identity.from_str(line))
        except pyrage.IdentityError as error:
            raise BackupError(f"Line {number} of {path} is no identity of age (AGE-SECRET-KEY-1…)") from error
    if not found:
        raise BackupError(f"{path} holds no identity of age")
    return found


@contextmanager
def encrypted_to(stream: IO[bytes], recipients: Sequence[pyrage.x25519.Recipient]) -> Iterator[IO[bytes]]:
    """A stream whose bytes reach the other one encrypted; nothing is ever in clear on the disk.

    The encrypting is in a thread of its own: the caller's thread has the snapshot's connection.
    """
    source, sink = os.pipe()
    with ThreadPoolExecutor(max_workers=1) as pool:
        ended = pool.submit(_encrypt, source, stream, recipients)
        try:
            with os.fdopen(sink, "wb") as clear:
                yield clear
        except BrokenPipeError:
            ended.result()  # why nothing reads any more: the disk is full, say
            raise
        ended.result()


def _encrypt(source: int, target: IO[bytes], recipients: Sequence[pyrage.x25519.Recipient]) -> None:
    with os.fdopen(source, "rb") as clear:
        try:
            pyrage.encrypt_io(clear, target, recipients)
        except pyrage.EncryptError as error:  # of the library's own kind, even where the disk is full
            raise OSError(str(error)) from error


def is_encrypted(stream: IO[bytes]) -> bool:
    """Whether it begins as a file of age does. The stream stands at its beginning afterwards."""
    begins = stream.read(len(_HEADER))
    stream.seek(0)
    return begins == _HEADER


@contextmanager
def opened(path: Path, identities: Sequence[pyrage.x25519.Identity]) -> Iterator[IO[Any]]:
    """The archive in clear: itself, or decrypted into a file without a name. Raises BackupError, OSError."""
    with path.open("rb") as stream:
        if not is_encrypted(stream):
            yield stream
            return
        if not identities:
            raise BackupError(f"{path} is encrypted: name the file of an identity of age with --identity")
        with tempfile.TemporaryFile() as clear:
            try:
                pyrage.decrypt_io(stream, clear, identities)
            except pyrage.DecryptError as error:
                raise BackupError(
                    f"{path} cannot be decrypted ({error}): the identity is another one, or the file is damaged"
                ) from error
            except OSError as error:  # a block that was changed, or no room for what is in clear
                raise BackupError(f"{path} cannot be decrypted: {error}") from error
            clear.seek(0)
            yield clear
