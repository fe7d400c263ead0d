"""LDAP: search, then bind, over TLS only."""
