"""A bounded write load on both sites that keeps its own account of what the servers acknowledged."""
