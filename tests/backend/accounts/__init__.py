"""Sign-in and what slows it down."""
