"""To be described: report."""
