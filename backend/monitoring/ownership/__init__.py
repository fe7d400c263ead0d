"""Which monitor owns which links: leases in the console's database, by its clock."""
