"""Steps that fence or unfence a side and swap the roles."""
