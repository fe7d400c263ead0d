"""How much a cluster writes: readings of its nodes' counters, the times that follow from them, and an alarm."""
