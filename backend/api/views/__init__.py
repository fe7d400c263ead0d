"""Views that join several rooms, and the page itself."""
