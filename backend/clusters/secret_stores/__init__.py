"""Passwords that stay in a store of the host: the console keeps a reference, and reads the value when it connects."""
