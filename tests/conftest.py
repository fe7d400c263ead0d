"""For every suite: a property without settings of its own is tried with the same examples in every run.

On a busy machine Hypothesis else reports that drawing, or one example, took long.
"""

from __future__ import annotations

from hypothesis import settings

from tests.core.builders.examples import examples

settings.register_profile("same in every run", examples(100))
settings.load_profile("same in every run")
