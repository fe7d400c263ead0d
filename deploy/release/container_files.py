"""Dockerfile and compose file as an archive needs them: it has the built pages, and neither their sources nor a lab."""

from __future__ import annotations

import re
from collections.abc import Callable

from deploy.release.errors import ReleaseError

Change = Callable[[str], str]

_PAGES_STAGE = re.compile(r"^FROM \$\{NODE_IMAGE\} AS pages\n.*?\n\n(?=FROM )", re.MULTILINE | re.DOTALL)
_NODE_COMMENT = re.compile(r"^#   node .*\n", re.MULTILINE)
_NODE_IMAGE = re.compile(r"^(?:ARG NODE_IMAGE=| +NODE_IMAGE: ).*\n", re.MULTILINE)
_DEMO_STAGE = re.compile(r"\nFROM console AS demo\n.*", re.DOTALL)
_FROM_STAGE = "COPY --from=pages /build/frontend/dist ./frontend/dist\n"
_DEMO_SERVICE = re.compile(r"^  # -+ demo -+\n.*?(?=^  # -+ production -+\n)", re.MULTILINE | re.DOTALL)
_DEMO_VOLUME = re.compile(r"^  demo:\n(?=  database:\n)", re.MULTILINE)
_HEADING = re.compile(r"\A.*? the demo: .*\n")
BUILD_CONTEXT = """\
# Only what the image needs goes into a build.
*
!backend
!docs/reference/findings.md
!docs/reference/problems.md
!frontend
!manage.py
!requirements.txt
!LICENSE
!NOTICE
**/__pycache__
**/*.pyc
"""
COMPOSE_ENVIRONMENT = """\
# Read by `docker compose`. No secret belongs here.
COMPOSE_PROFILES=production
# Where the proxy listens; 127.0.0.1 where something else stands in front of it.
HAWSER_HTTPS_ADDRESS=0.0.0.0
HAWSER_HTTPS_PORT=8443
HAWSER_HOSTNAME=localhost
"""


def dockerfile(text: str) -> str:
    """The image of the console alone, with the pages of the archive."""
    text = _without(_PAGES_STAGE, _without(_DEMO_STAGE, _without(_NODE_COMMENT, _without(_NODE_IMAGE, text))))
    if _FROM_STAGE not in text:
        raise ReleaseError("The Dockerfile does not copy the pages from the stage `pages`: adapt container_files.py.")
    text = text.replace(_FROM_STAGE, "COPY frontend/dist ./frontend/dist\n")
    return "# The image of the console, from the files of a release.\n" + text.partition("\n#\n")[2]


def compose_file(text: str) -> str:
    """The production profile alone."""
    return _without(_HEADING, _without(_DEMO_SERVICE, _without(_DEMO_VOLUME, _without(_NODE_IMAGE, text))))


def _without(part: re.Pattern[str], text: str) -> str:
    changed, count = part.subn("", text)
    if count != 1:
        raise ReleaseError(f"{part.pattern!r} was found {count} times, not once: adapt container_files.py.")
    return changed
