"""The steps of the reading loop: choose where to start, read a block, decide, conclude (S0)."""
