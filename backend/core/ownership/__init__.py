"""Which of several monitors polls and stores which links. Pure: the database's clock and its rows are passed in."""
