"""To be described: experiments."""
