"""/dice for Axis & Allies: the hits of one throw."""
