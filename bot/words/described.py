"""Marks the description of a battle that has more rules or options than the description says."""

from bot.languages import N_, _

HOUSE_RULES = N_("{battle}, house rules")
OPTIONS = N_("{battle}, with options")
MARKS = (HOUSE_RULES, OPTIONS)
"""The texts that say of a description that it is not all."""


def describe_with(battle: str, house_rules: bool = False, options: bool = False) -> str:
    """Return a description with the mark for what it does not say, if there is anything."""
    if house_rules:
        return _(HOUSE_RULES, battle=battle)
    return _(OPTIONS, battle=battle) if options else battle
