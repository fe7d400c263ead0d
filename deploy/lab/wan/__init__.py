"""Distance between the lab's nodes: network namespaces joined by a router that delays, loses and counts packets."""
