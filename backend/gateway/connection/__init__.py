"""One bounded connection to one node: endpoint, TLS, login, session, errors, allowed statements."""
