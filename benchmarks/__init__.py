"""The suite against its peers, as ratios in the same run. Each module has a ``main`` that returns a tidy table."""
