"""To be described: categories."""
