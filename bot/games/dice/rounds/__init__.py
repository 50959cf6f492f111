"""The rolls of one round: what it costs both sides, and how often a side rolls what."""
