"""Building blocks of the demo and the test run: child processes, a private Redis, a private MariaDB."""
