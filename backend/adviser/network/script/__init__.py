"""Holds the script that database hosts run; the console only serves it and never runs it."""
