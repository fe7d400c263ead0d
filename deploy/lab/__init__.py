"""The lab: two real Galera clusters as processes of this machine, linked by two replication channels.

Everything the lab owns lies in one folder (its *home*); `down` ends the recorded processes and removes it.
The lab imports nothing of the product, so that it can judge the product.
"""
