"""URL assembly, the schema, and the views that join several rooms."""
