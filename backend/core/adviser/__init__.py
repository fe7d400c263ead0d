"""What the adviser decides from facts."""
