"""Steps that close or open a side to writes and swap the roles."""
