"""`make chart`: lint the chart and render it with each file of values."""

from __future__ import annotations

import sys

from deploy.helm.program import ensure
from deploy.helm.render import render_all
from deploy.services.process import ServiceError


def main() -> int:
    """The exit code."""
    try:
        render_all(ensure())
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
