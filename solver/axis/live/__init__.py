"""Live battles of Axis & Allies: throws of real dice, losses that are chosen, and the chance at every stage."""
