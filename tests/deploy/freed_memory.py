"""A process of its own that uses a password, lets it go, and counts what is left of it in its memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

SETTINGS = ("PYTHONMALLOC", "GLIBC_TUNABLES")
PROGRAM = """
import hashlib, json, re, sys

def use(mark):
    password = ("left-" + mark + "-").join("xyz")
    received = json.loads(json.dumps({"password": password}).encode())
    hashlib.sha256(received["password"].encode()).hexdigest()

def count(parts):
    wanted, found = b"".join(parts), 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for start, end in re.findall(r"(?m)^([0-9a-f]+)-([0-9a-f]+) rw(?!.*\\[v)", maps.read()):
            memory.seek(int(start, 16))
            found += memory.read(int(end, 16) - int(start, 16)).count(wanted)
    return found - 1  # what is looked for is there

use(sys.argv[1])
print(count([b"left-", sys.argv[1].encode(), b"-"]))
"""


def left_of_a_password(environment: Mapping[str, str]) -> int:
    """How often a freed password is still in the memory of a process with this environment."""
    bare = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    given = {name: environment[name] for name in SETTINGS if name in environment}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "abcdefgh"], env=bare | given, check=True, capture_output=True, text=True
    )
    return int(done.stdout)
