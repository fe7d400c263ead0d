"""What every kind of plan is built from: each function appends steps to a list."""
