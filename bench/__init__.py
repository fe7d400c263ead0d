"""Measurements of Hawser beside the tools it replaces; `python -m bench` runs them all."""
