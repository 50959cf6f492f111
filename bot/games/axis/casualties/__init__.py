"""Axis & Allies where a side chooses its casualties round by round: its answers, and its part of `/order`."""
