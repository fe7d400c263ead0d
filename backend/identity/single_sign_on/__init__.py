"""Sign-in by an OpenID Connect provider or an LDAP directory."""
