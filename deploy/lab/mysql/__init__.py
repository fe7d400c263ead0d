"""A source and a replica of MySQL, without Galera, for the tests of the MySQL family."""
