"""To be described: corpora."""
