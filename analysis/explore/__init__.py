"""To be described: explore."""
