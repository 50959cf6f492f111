"""The lines of conquests: "20 siam > australia: 3 2 1 1"."""
