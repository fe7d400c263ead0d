"""For how long a node may be away and still return by IST, who would be its donor, and when to warn.

Every law is from a measurement on MariaDB 10.11.19 with Galera 26.4.23, or from the provider's source; each docstring
names which.
"""
