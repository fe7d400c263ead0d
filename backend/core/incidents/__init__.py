"""An incident: the links that a lost site or node touches, the order of their operations, and what starts next."""
