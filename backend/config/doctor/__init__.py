"""What `hawser_doctor` collects for a support engineer, and the archive that it writes."""
