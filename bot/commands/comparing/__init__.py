"""/compare: two plans side by side."""
