"""The images and the compose file, really run: an engine of our own, and base images where no registry is to be had."""
