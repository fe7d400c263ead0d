"""What a stored run did, told from its stored facts: sentence, positions, topology before and after, loss."""
