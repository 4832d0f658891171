"""The searches that Veriloop's is compared with, each run in a process of its own."""
