"""What is known of every setting of a server that can change what is written, logged, sent, applied or skipped."""
