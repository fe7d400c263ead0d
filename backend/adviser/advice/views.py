"""The endpoints of advice and configurations."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.advice import selectors, services
from backend.adviser.advice.configurations import cluster_configuration, read_now
from backend.adviser.advice.host_settings import compare_pasted
from backend.adviser.advice.outputs import AdviceList, Certificates, Configuration, Dismissal, HostSettings
from backend.adviser.advice.serializers import (
    ConfigurationQuerySerializer,
    DismissalInSerializer,
    HostSettingsInSerializer,
)
from backend.clusters.selectors import cluster_get, link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.scope import Where, require
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.core.adviser.advice.layout import Layout


class ClusterAdviceView(ConsoleView):
    """Advice on a cluster."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_advice", "Get advice on a cluster", responses=AdviceList)
    @slow_call
    def get(self, request: Request, cluster_id: str) -> Response:
        """List advice on the configuration of a cluster, by risk. What is older than a minute is read again."""
        cluster = cluster_get(cluster_id)
        read_now([cluster])
        return respond(AdviceList, selectors.advice_on_cluster(cluster, timezone.now()))


class LinkAdviceView(ConsoleView):
    """Advice on a link."""

    permissions = {"GET": Permission.READ}

    @operation("link_advice", "Get advice on a link", responses=AdviceList)
    @slow_call
    def get(self, request: Request, link_id: str) -> Response:
        """List advice on a link and on both of its clusters, by risk. What is older than a minute is read again."""
        link = link_get(link_id)
        read_now([link.active_cluster, link.standby_cluster])
        return respond(AdviceList, selectors.advice_on_link(link, timezone.now()))


class ClusterConfigurationView(ConsoleView):
    """The configuration of a cluster's nodes."""

    permissions = {"GET": Permission.READ}

    @operation(
        "cluster_configuration",
        "Get the configuration of a cluster",
        parameters=[ConfigurationQuerySerializer],
        responses=Configuration,
    )
    @slow_call
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get provider options and compared variables of every node, with what is recommended and how to set it.

        Nothing is changed on a server. What is older than a minute is read again. Passwords in options are hidden.
        """
        cluster = cluster_get(cluster_id)
        asked = validated_query(request, ConfigurationQuerySerializer).get("profile")
        read_now([cluster])
        shown = selectors.configuration_of(cluster, Layout(asked) if asked else None, timezone.now())
        return respond(Configuration, shown)


class ClusterCertificatesView(ConsoleView):
    """The certificates of a cluster's connections."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_certificates", "List the certificates of a cluster", responses=Certificates)
    def get(self, request: Request, cluster_id: str) -> Response:
        """List the certificates of trusted authorities, of the console, and those that nodes showed last.

        No server is asked. A node that was not read for a while, or shows no certificate, is not listed.
        """
        found = cluster_configuration(cluster_get(cluster_id), timezone.now())
        return respond(Certificates, found)


class ClusterHostSettingsView(ConsoleView):
    """Network settings of hosts. The text may be of any host, so the response is not stored for repeated calls."""

    permissions = {"POST": Permission.READ}
    keyed = False

    @operation(
        "cluster_host_settings_compare",
        "Compare network settings of a host",
        request=HostSettingsInSerializer,
        responses=HostSettings,
    )
    def post(self, request: Request, cluster_id: str) -> Response:
        """Compare pasted network settings with what is recommended for one site or two.

        Takes the output of `sysctl`, or a result of `hawser-network-probe`. Nothing is stored, and no host is asked.
        A setting that is missing gives no advice.
        """
        cluster = cluster_get(cluster_id)
        given = validated_body(request, HostSettingsInSerializer)
        chosen = Layout(given["profile"]) if "profile" in given else None
        return respond(HostSettings, compare_pasted(cluster, given["text"], chosen, timezone.now()))


class DismissalListView(ConsoleView):
    """Dismissals of advice."""

    permissions = {"POST": Permission.RUN}
    where = Where.READABLE

    @operation(
        "advice_dismiss",
        "Dismiss advice",
        codes=("advice_changed", "retired"),
        request=DismissalInSerializer,
        responses={201: Dismissal},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Dismiss advice for a reason until a time. It is open again when its facts change. The call is recorded."""
        given = validated_body(request, DismissalInSerializer)
        subject = given["subject_id"]
        require(request, Permission.RUN, "link_id" if subject.startswith("l_") else "cluster_id", [subject])
        row = services.advice_dismiss(actor=request.user.get_username(), **given)
        return respond(Dismissal, row, status=201)


class DismissalView(ConsoleView):
    """One dismissal."""

    permissions = {"DELETE": Permission.RUN}

    @operation("advice_dismissal_withdraw", "Withdraw a dismissal", responses={204: None})
    @stored_with_effect
    def delete(self, request: Request, dismissal_id: str) -> Response:
        """End a dismissal: the advice is open again at once. The call is recorded."""
        services.dismissal_withdraw(actor=request.user.get_username(), dismissal_id=dismissal_id)
        return Response(status=204)
