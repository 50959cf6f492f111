"""The maps of boards: their territories, borders and names."""
