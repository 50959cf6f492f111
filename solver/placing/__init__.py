"""Axis & Allies: units placed on several territories that are attacked."""
