"""To be described: models."""
