"""A file that declares clusters and links: read, compared with the registration, and applied to it."""
