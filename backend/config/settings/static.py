"""The built console page and its files."""

from __future__ import annotations

import re

from backend.config import env

HAWSER_FRONTEND_DIST = env.ROOT / "frontend" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT = env.ROOT / "staticfiles"
# A folder that is not there yet (no build so far) is a warning to Django, so it is left out.
STATICFILES_DIRS = [HAWSER_FRONTEND_DIST] if HAWSER_FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = env.DEBUG
_HASHED = re.compile(r"^/static/assets/.+-[A-Za-z0-9_-]{8}\.\w+$")


def WHITENOISE_IMMUTABLE_FILE_TEST(path: str, url: str) -> bool:  # noqa: N802
    """Whether a file's name carries its content's hash, so that it may be cached for ever."""
    return bool(_HASHED.match(url))
