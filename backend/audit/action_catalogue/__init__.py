"""The reviewed catalogue of audit actions: who can cause each, and what its record holds."""
