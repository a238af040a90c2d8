"""To be described: statistics."""
