"""One army through several territories."""
