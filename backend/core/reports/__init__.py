"""Reports: one builder each, whose document is shown as a page, as Markdown, as JSON and in print."""
