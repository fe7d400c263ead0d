"""REST views that join several packages, and the page itself."""
