"""Leaves out what people say beside a battle, before a line is composed: what they take back, tell or claim."""
