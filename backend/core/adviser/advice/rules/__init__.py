"""The rules, one a file: what a rule says of its code, and when it says it."""
