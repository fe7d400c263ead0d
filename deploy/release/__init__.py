"""`make release`: an archive that runs the console, the client's wheel, bills of materials and their checksums."""
