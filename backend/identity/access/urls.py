"""URLs of teams, role assignments and environments."""

from __future__ import annotations

from django.urls import path

from backend.identity.access import views

urlpatterns = [
    path("teams", views.TeamListView.as_view(), name="teams"),
    path("teams/<str:team_id>", views.TeamView.as_view(), name="team"),
    path("teams/<str:team_id>/members", views.TeamMembersView.as_view(), name="team-members"),
    path("role-assignments", views.RoleAssignmentListView.as_view(), name="role-assignments"),
    path("role-assignments/<str:assignment_id>", views.RoleAssignmentView.as_view(), name="role-assignment"),
    path("environments", views.EnvironmentListView.as_view(), name="environments"),
    path("links/<str:link_id>/environment", views.LinkEnvironmentView.as_view(), name="link-environment"),
    path("clusters/<str:cluster_id>/environment", views.ClusterEnvironmentView.as_view(), name="cluster-environment"),
]
