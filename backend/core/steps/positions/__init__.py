"""Steps that locate a position, verify it again, and record where histories diverge."""
