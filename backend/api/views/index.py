"""The page of the console, served with a new nonce for every path outside of the API."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

PLACEHOLDER = "HAWSER_CSP_NONCE"
FIRST_REQUESTS = "HAWSER_FIRST_REQUESTS"
_EVERY_PAGE_READS = "/api/v1/session /api/v1/fleet"
_NOT_BUILT = "The console's page is not built. Run npm run build. The API is available below /api/v1."


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The page's service worker. At the root, because a worker has power over no address above its own."""
    script = settings.HAWSER_FRONTEND_DIST / "service-worker.js"
    if not script.is_file():
        return HttpResponse(_NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(script.read_text(encoding="utf-8"), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """The built index.html with the nonce of this response, and what a signed-in browser shall request at once."""
    index = settings.HAWSER_FRONTEND_DIST / "index.html"
    if not index.is_file():
        return HttpResponse(_NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    # Set by the policy's middleware; reading it puts it into the response's header.
    nonce = str(request.csp_nonce)  # type: ignore[attr-defined]
    # A request without credentials would be refused, and one with expired credentials is counted as refused access.
    first = _EVERY_PAGE_READS if settings.SESSION_COOKIE_NAME in request.COOKIES else ""
    text = index.read_text(encoding="utf-8").replace(PLACEHOLDER, nonce).replace(FIRST_REQUESTS, first)
    response = HttpResponse(text)
    response["Cache-Control"] = "no-store"
    return response
