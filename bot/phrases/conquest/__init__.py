"""Questions about territories of a map, as people say them: "can I take Australia from Siam with 12"."""
