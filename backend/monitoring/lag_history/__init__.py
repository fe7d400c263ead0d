"""The history of the lag: samples, rolled up to coarser resolutions as they age, and read as one curve."""
