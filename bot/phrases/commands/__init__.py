"""The lines of single commands, composed from what a phrase says."""
