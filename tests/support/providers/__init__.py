"""Real counterparts of sign-in: an OpenID Connect provider and an OpenLDAP directory, on loopback."""
