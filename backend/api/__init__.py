"""Assembly of the API: its URLs, and the views that join several packages."""
