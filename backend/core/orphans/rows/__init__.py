"""Row images of the binary log: decoded to column values, written as exact SQL literals."""
