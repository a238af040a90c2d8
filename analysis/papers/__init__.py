"""To be described: papers."""
