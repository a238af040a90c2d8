"""To be described: figures."""
