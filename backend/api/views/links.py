"""The REST views of links, which join registration, monitoring and runs."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.link_views import link_detail, link_page
from backend.api.response_cache import cached
from backend.api.serializers import (
    HistoryPageSerializer,
    HistoryQuerySerializer,
)
from backend.api.views.registration import CHANGE_CODES, change_of
from backend.clusters import selectors, services
from backend.clusters.serializers.links import (
    LinkDetailSerializer,
    LinkInSerializer,
    LinkPageSerializer,
)
from backend.common.events import selectors as events
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.preconditions import IF_MATCH, with_etag
from backend.common.rest.scope import Where, privileges_of, require
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.registration.links import link_update
from backend.registration.retirement import link_retire
from backend.registration.serializers import LinkListQuerySerializer, LinkUpdateSerializer, ReasonQuerySerializer


class LinkListView(ConsoleView):
    """Registered links."""

    permissions = {"GET": Permission.READ, "POST": Permission.LINKS}
    where = Where.READABLE

    @operation("link_list", "List links", parameters=[LinkListQuerySerializer], responses=LinkPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """List all registered links with their current state, or those that were retired, the latest first."""
        is_retired = validated_query(request, LinkListQuerySerializer)["retired"]
        privileges = privileges_of(request)
        found = selectors.retired_links if is_retired else selectors.listed_links
        name = "retired links" if is_retired else "links"

        def shown() -> bytes:
            return link_page(list(selectors.among(found(), privileges.links_with(Permission.READ))), privileges)

        return cached(f"{name} {privileges.key}", None, shown)

    @operation(
        "link_register",
        "Register a link",
        codes=("link_exists",),
        request=LinkInSerializer,
        responses={201: LinkDetailSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request) -> Response:
        """Register a link between two clusters. Existing channels are recorded; nothing about them is changed.

        With `create_probe` the probe table is created on the active cluster.
        """
        given = validated_body(request, LinkInSerializer)
        require(request, Permission.LINKS, "cluster_id", [given["active_cluster"], given["standby_cluster"]])
        link = services.link_register(actor=request.user.get_username(), **given)
        return respond(LinkDetailSerializer, link_detail(link, privileges_of(request)), status=201)


class LinkView(ConsoleView):
    """One link."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.LINKS, "DELETE": Permission.LINKS}

    @operation("link_read", "Get a link", responses=LinkDetailSerializer)
    def get(self, request: Request, link_id: str) -> HttpResponse:
        """Get a link with its current state and both clusters in full. Its version is the ETag."""
        privileges = privileges_of(request)
        return cached(
            f"link {link_id} {privileges.key}",
            LinkDetailSerializer,
            lambda: link_detail(selectors.link_get(link_id), privileges),
        )

    @operation(
        "link_update",
        "Update a link",
        codes=(*CHANGE_CODES, "link_exists", "run_unfinished"),
        parameters=[IF_MATCH],
        request=LinkUpdateSerializer,
        responses={200: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def patch(self, request: Request, link_id: str) -> Response:
        """Change its name, its home side, and whether runs on it need a second person.

        Switching that rule off takes effect after a waiting time, or when a second administrator confirms it.
        """
        link = selectors.link_get(link_id)
        given = validated_body(request, LinkUpdateSerializer)
        changed = link_update(change=change_of(request, given.pop("reason")), link=link, **given)
        return with_etag(respond(LinkDetailSerializer, link_detail(changed, privileges_of(request))), changed.version)

    @operation(
        "link_retire",
        "Retire a link",
        codes=(*CHANGE_CODES, "run_unfinished"),
        parameters=[IF_MATCH, ReasonQuerySerializer],
        responses={200: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def delete(self, request: Request, link_id: str) -> Response:
        """Stop observing the link and free its name. Its channels stay on the servers, its history stays readable.

        Where runs need a second person it takes effect after a waiting time, or when a second administrator confirms.
        """
        link = selectors.link_get(link_id)
        given = validated_query(request, ReasonQuerySerializer)
        changed = link_retire(change=change_of(request, given["reason"]), link=link)
        return with_etag(respond(LinkDetailSerializer, link_detail(changed, privileges_of(request))), changed.version)


class LinkHistoryView(ConsoleView):
    """The events of a link."""

    permissions = {"GET": Permission.READ}

    @operation(
        "link_history",
        "List past events of a link",
        parameters=[HistoryQuerySerializer],
        responses=HistoryPageSerializer,
    )
    def get(self, request: Request, link_id: str) -> Response:
        """List one page of the events of a link, newest first."""
        selectors.check_link(link_id)
        asked = validated_query(request, HistoryQuerySerializer)
        page = events.history(link_id=link_id, cursor=asked.get("cursor"), limit=asked["limit"])
        return respond(HistoryPageSerializer, page)
