"""Live battles of Axis & Allies: their moves, the ways to take hits, and plans and odds from any of their stages."""
