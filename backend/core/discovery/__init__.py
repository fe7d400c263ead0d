"""What one node tells of its cluster: members, settings, TLS, channels. Facts in, decisions out; nothing is changed."""
