"""Tests of a channel that stopped on one row."""
