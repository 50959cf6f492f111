"""Live battles of Axis & Allies in words, and the losses that players choose."""
