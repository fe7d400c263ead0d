"""How many persons must approve the runs of a link, and who may."""
