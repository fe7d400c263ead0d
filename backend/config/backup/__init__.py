"""Backup of the console's database in one archive, and its restore into an empty schema.

Django writes the archive, not `mariadb-dump`: the console's image has no client, and another account cannot put a dump
back without SUPER, because triggers bear the name of the account that made them. The restore makes the schema by
migrations instead, so tables and triggers belong to the account that restores.
"""
