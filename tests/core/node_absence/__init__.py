"""IST or SST, for how long a node may be away, its donors, and the alarm."""
