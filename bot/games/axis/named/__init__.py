"""The armies that lines of Axis & Allies name: defenders by their place, and those of presets."""
