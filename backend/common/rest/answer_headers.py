"""Middleware for headers of every response that neither Django nor the policy's own middleware sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

PERMISSIONS_POLICY: Final = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb", "serial", "bluetooth")
)
"""What no page of the console asks a browser for."""
API_FILE: Final = 'attachment; filename="api.json"'


class AnswerHeadersMiddleware:
    """Denies sensors of the browser, and makes JSON a file, so that no browser shows it as a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Call the view, then add what is missing."""
        answer = self.get_response(request)
        answer.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        if answer.headers.get("Content-Type", "").endswith("json"):
            answer.headers.setdefault("Content-Disposition", API_FILE)
        return answer
