"""All URLs: the API, its service calls also at the root, and the page for everything else."""

from __future__ import annotations

from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from backend.api.urls import service_patterns
from backend.api.views.index import page, service_worker
from backend.common.rest import problems

handler400 = problems.bad_request
handler404 = problems.page_not_found
handler500 = problems.server_error

urlpatterns = [
    path("api/v1/", include("backend.api.urls")),
    path("", include((service_patterns, "service"))),
    # A POST to a wrong address gets 404, not an error about a missing cookie.
    re_path(r"^(?:api|static)(?:/|$)", csrf_exempt(problems.page_not_found)),
    path("service-worker.js", service_worker, name="service-worker"),
    re_path(r"^.*$", page, name="page"),
]
