"""The built console page and its files."""

from __future__ import annotations

import re

from backend.config import env

HAWSER_FRONTEND_DIST = env.ROOT / "frontend" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT = env.ROOT / "staticfiles"
# Django warns about a folder that does not exist (nothing was built yet), so it is left out.
STATICFILES_DIRS = [HAWSER_FRONTEND_DIST] if HAWSER_FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = env.DEBUG
_HASHED = re.compile(r"^/static/assets/.+-[A-Za-z0-9_-]{8}\.\w+$")


def WHITENOISE_IMMUTABLE_FILE_TEST(path: str, url: str) -> bool:  # noqa: N802
    """Whether a file's name has a hash of its content, so that it can be cached forever."""
    return bool(_HASHED.match(url))
