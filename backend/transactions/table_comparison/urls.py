"""URLs of table comparisons."""

from __future__ import annotations

from django.urls import path

from backend.transactions.table_comparison import views

urlpatterns = [
    path("links/<str:link_id>/table-comparisons", views.LinkComparisonsView.as_view(), name="link-table-comparisons"),
    path(
        "links/<str:link_id>/table-comparison-schedule",
        views.ComparisonScheduleView.as_view(),
        name="table-comparison-schedule",
    ),
    path("table-comparisons/<str:comparison_id>", views.ComparisonView.as_view(), name="table-comparison"),
    path("table-comparisons/<str:comparison_id>/tables", views.ComparedTablesView.as_view(), name="compared-tables"),
    path(
        "table-comparisons/<str:comparison_id>/differences",
        views.RowDifferencesView.as_view(),
        name="row-differences",
    ),
    path(
        "table-comparisons/<str:comparison_id>/differences/export",
        views.DifferenceExportView.as_view(),
        name="row-differences-export",
    ),
    path("table-comparisons/<str:comparison_id>/row-writers", views.RowWritersView.as_view(), name="row-writers"),
]
