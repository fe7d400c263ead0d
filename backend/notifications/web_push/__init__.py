"""Web Push: notifications for browsers of users while no page of the console is open."""
