"""What a process has simulated so far: steps by rule, and what came of plans and runs."""

from __future__ import annotations

from collections import Counter

STEPS: Counter[str] = Counter()
OUTCOMES: Counter[str] = Counter()
