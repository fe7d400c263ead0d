"""Incidents over HTTP."""
