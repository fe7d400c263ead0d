"""The browser's side of the console's page."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from tests.support.console import API, PASSWORD

SESSION = f"{API}/session"


class Page:
    """Cookies, and the CSRF token sent back; `address` is where the browser stands."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.client = Client(enforce_csrf_checks=True, raise_request_exception=False, REMOTE_ADDR=address)
        self.first = self.client.get(SESSION)

    def send(self, method: str, path: str, data: Any = None, *, csrf: str | None = None) -> Any:
        """One call as the page makes it."""
        token = self.client.cookies["csrftoken"].value if csrf is None else csrf
        headers = {"X-CSRFToken": token} if token else {}
        return self.client.generic(
            method, path, json.dumps(data or {}), content_type="application/json", headers=headers
        )

    def sign_in(self, name: str, password: str = PASSWORD) -> Any:
        """The sign-in form."""
        return self.send("POST", SESSION, {"username": name, "password": password})
