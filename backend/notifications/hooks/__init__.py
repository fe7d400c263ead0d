"""Webhooks of a link: called before and after runs as steps of their plans, and notified of events."""
