"""What a distance does to commits: latency of one, rate of many writers, large write-sets.

Measured on MariaDB 10.11.19 with Galera 26.4.23 over a router with set delays; the article's figures are of 2017.
"""
