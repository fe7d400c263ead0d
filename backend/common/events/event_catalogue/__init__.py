"""The reviewed catalogue of events: when each is sent, its fields and an example."""
