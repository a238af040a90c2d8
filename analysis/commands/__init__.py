"""Layer 6: the commands of ``yardstick`` that have files of their own; each is a thin shell over library functions."""
