"""How good the network between two sites is: measurements, their parsers, and the verdict for a Galera cluster."""
