"""Variables of the console's processes that HAWSER_SECRET_VARIABLES names; never the console's own."""

from __future__ import annotations

import os
import re

from django.conf import settings

from backend.clusters.secret_stores.bound import check_environment
from backend.clusters.secret_stores.model import ReferenceRefusedError, Secret, StoreError, WithoutLeases, one_line

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


class EnvironmentStore(WithoutLeases):
    """`env:NAME`."""

    def check(self, name: str, environment: str | None = None) -> None:
        """Refuse names that the setting does not list, and every name that begins with HAWSER_."""
        if not _NAME.fullmatch(name):
            raise ReferenceRefusedError("Give the name of a variable, such as env:MILAN_MONITOR.")
        if name.upper().startswith("HAWSER_"):
            raise ReferenceRefusedError(
                f"{name} is a setting of the console. Name a variable with a database password."
            )
        check_environment(
            settings.HAWSER_SECRET_VARIABLES,
            lambda listed: listed == name,
            environment,
            f"HAWSER_SECRET_VARIABLES does not name {name}. Let the host's administrator add it to that setting.",
        )

    def read(self, name: str) -> Secret:
        """The variable's value; it changes only when the processes are started again."""
        try:
            self.check(name)
        except ReferenceRefusedError as error:
            raise StoreError(str(error)) from None
        if name not in os.environ:
            raise StoreError(f"env:{name} is not set in this process.")
        return Secret(one_line(os.environ[name].encode(), f"env:{name}"))
