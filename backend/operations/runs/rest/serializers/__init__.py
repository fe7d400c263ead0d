"""Serializers of plans and runs."""
