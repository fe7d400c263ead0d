"""The list of many links, measured on the real console in a real browser."""
