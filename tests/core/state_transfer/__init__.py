"""How long an SST takes: the parts against what was measured, and what is unknown."""
