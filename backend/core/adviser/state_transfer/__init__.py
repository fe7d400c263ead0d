"""How long an SST takes, in parts, and what shortens it.

Measured on MariaDB 10.11.19 with Galera 26.4.23: mariabackup, 1.0 GB on tmpfs, one run each. Every other figure is an
article's of 2015 (50 GB, 16 cores) and says so.
"""
