"""What happened, as rows with growing ids; browsers follow them, history is read from them."""
