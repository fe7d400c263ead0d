"""Backup and restore of the console's database."""
