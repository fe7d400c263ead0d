"""Measurements that write to the probe schema, on request: commits beside the model, a heartbeat over a link."""
