"""Detects names that look alike and could be taken for one person.

Names are ASCII after NFKC, so the look-alikes are those of ASCII: a small set of the confusable characters that
Unicode Technical Standard 39 lists, in both directions.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"))
_SEPARATORS: Final = re.compile(r"[._-]+")


def folded(name: str) -> str:
    """The name regardless of case and Unicode form, by which a sign-in finds it."""
    return unicodedata.normalize("NFKC", name).casefold()


def skeleton(name: str) -> str:
    """The look of the name; two names with the same skeleton are taken for one person."""
    text = folded(name)
    for written, seen in _ALIKE:
        text = text.replace(written, seen)
    return _SEPARATORS.sub(".", text)
