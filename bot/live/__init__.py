"""Live battles: fair dice, logs, and the rolls in words."""
