"""One person behind a name, however it is written.

Names are ASCII after NFKC, so look-alikes are those of ASCII: a small set of the confusable characters that
Unicode Technical Standard 39 lists, both ways round.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"))
_SEPARATORS: Final = re.compile(r"[._-]+")


def folded(name: str) -> str:
    """The name without regard to case and form: what a sign-in is looked up by."""
    return unicodedata.normalize("NFKC", name).casefold()


def skeleton(name: str) -> str:
    """What the name looks like; two names of one skeleton are taken for one person."""
    text = folded(name)
    for written, seen in _ALIKE:
        text = text.replace(written, seen)
    return _SEPARATORS.sub(".", text)
