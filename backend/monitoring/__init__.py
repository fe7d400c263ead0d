"""Polling, stored facts, the journal, link state and events: what the console observes without an operator."""
