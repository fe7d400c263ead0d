"""OpenID Connect: code flow with PKCE, ID tokens, logout by either side."""
