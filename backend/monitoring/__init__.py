"""Polling, stored facts, the journal, link state and events: what the console knows by itself."""
