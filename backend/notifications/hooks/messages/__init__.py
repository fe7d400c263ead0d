"""Notifications in the formats of services: fields of a destination, text, composition by Apprise, sending."""
