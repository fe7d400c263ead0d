"""Automatic relocate, opted in per link: watches links, and proposes or starts a normal plan under its own name."""
