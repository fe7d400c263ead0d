"""What one write consists of. Pure: random numbers in, parts and SQL out."""

from __future__ import annotations

import random
import uuid

from deploy.lab.load.ledger import Part

ACCOUNTS_PER_WRITER = 5
SHARE_OF_LARGE_WRITES = 0.15
LARGEST_WRITE = 8

INSERT_TRANSFER = "INSERT INTO transfers (write_id, part, account, delta, note) VALUES (%s, %s, %s, %s, %s)"
INSERT_ENTRY = "INSERT INTO entries (write_id, part, payload) VALUES (%s, %s, %s)"
CHANGE_BALANCE = (
    "INSERT INTO balances (account, balance, changes) VALUES (%s, %s, 1)"
    " ON DUPLICATE KEY UPDATE balance = balance + VALUES(balance), changes = changes + 1"
)
Statement = tuple[str, tuple[object, ...]]


def new_write(rng: random.Random, writer: str) -> tuple[str, list[Part]]:
    """An id and one part, now and then several. Accounts belong to the writer, so no two sites change one row."""
    large = rng.random() < SHARE_OF_LARGE_WRITES
    size = rng.randint(2, LARGEST_WRITE) if large else 1
    numbers = sorted(rng.randrange(ACCOUNTS_PER_WRITER) for _ in range(size))
    parts = [Part(f"{writer}-{number}", rng.choice((-1, 1)) * rng.randint(1, 1000)) for number in numbers]
    return uuid.UUID(int=rng.getrandbits(128), version=4).hex, parts


def statements(write_id: str, parts: list[Part], node: str) -> list[Statement]:
    """The write's statements, without BEGIN and COMMIT."""
    found: list[Statement] = []
    for number, part in enumerate(parts):
        note = f"{node} {part.delta:+d} " + "x" * (part.delta % 60)
        found.append((INSERT_TRANSFER, (write_id, number, part.account, part.delta, note)))
        found.append((INSERT_ENTRY, (write_id, number, f"{part.account} {part.delta}")))
        found.append((CHANGE_BALANCE, (part.account, part.delta)))
    return found
