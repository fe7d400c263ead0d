"""What one database server of the lab consists of: configuration, process, data folder, accounts, TLS."""
