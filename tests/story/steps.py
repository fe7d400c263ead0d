"""The steps of a story: each is announced, timed, and named where it fails, with what the console says just then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Steps:
    """`say` is what the console tells of the link and its last runs."""

    say: Callable[[], str]
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """One step; a failure carries its name, which pytest shows below the assertion."""
        began = time.monotonic()
        try:
            yield
        except BaseException as error:
            error.add_note(f"The step that failed: {name}, after {time.monotonic() - began:.1f} s.\n{self._told()}")
            raise
        finally:
            self.seconds[name] = time.monotonic() - began

    def _told(self) -> str:
        try:
            return self.say()
        except (AssertionError, OSError, LookupError) as error:  # the first failure is the one to show
            return f"The console said nothing: {error!r}"

    def table(self) -> str:
        """How long each step took."""
        lines = [f"  {seconds:6.1f} s  {name}" for name, seconds in self.seconds.items()]
        return "\n".join([*lines, f"  {sum(self.seconds.values()):6.1f} s  together"])
