"""Builds a battle with dice from the fields of a line; BattleError names the field that is wrong."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from bot.notation.dice_options import PLANS
from solver import Battle, BattleError, Faces, Pool, Reshape, Ships
from solver.dice.pools import MOST_DICE
from solver.dice.ships import SHIPS
from solver.documents import read_part
from solver.errors import check_count


def build_battle(options: Mapping[str, Any], base: Battle) -> Battle:
    """Build the battle of these fields; fields that are missing are as in `base`."""
    caps = options.get("dice", (None, None))
    reshape = base.reshape
    if "reshape" in options:
        reshape = options["reshape"] and read_part("reshape", partial(Reshape, *options["reshape"]))
    return Battle(
        options["attackers"],
        options["defenders"],
        _pool("attack", options, base.attack, caps[0]),
        _pool("defence", options, base.defence, caps[1]),
        ships_of("attack", options, base.attack_ships),
        ships_of("defence", options, base.defence_ships),
        faces=_faces(options, base),
        reshape=reshape,
        variant=base.variant,
        ties=options.get("ties", base.ties),
        late=options.get("late", base.late),
        **{key: options[key] for key in (option.word for option in PLANS) if key in options},
    )


def _pool(side: str, options: Mapping[str, Any], base: Pool, cap: int | None) -> Pool:
    dice = options.get(f"{side}.dice", base.dice)
    if cap is not None:
        check_count("dice", cap, 1, MOST_DICE, "a side can roll {least} to {most} dice, not {value}")
        if cap > len(dice) and f"{side}.dice" in options:
            values = {"asked": cap, "word": f"{side[0]}dice", "named": len(dice)}
            raise BattleError("dice", "`dice` asks for {asked} dice, but `{word}` lists {named}", **values)
        dice = (*sorted(dice, reverse=True), *[6] * cap)[:cap]
    parts = {part: options.get(f"{side}.{part}", getattr(base, part)) for part in ("rerolls", "bonus", "clamp")}
    if f"{side}.bonus" not in options:
        parts["bonus"] = parts["bonus"][: len(dice)]
    return read_part(side, partial(Pool, dice, **parts))


def ships_of(side: str, options: Mapping[str, Any], base: Ships) -> Ships:
    """Return the ships of a side, "attack" or "defence"."""
    before = base.to_dict()
    return read_part(side, partial(Ships, *(options.get(f"{side}.{kind}", before[kind]) for kind in SHIPS)))


def _faces(options: Mapping[str, Any], base: Battle) -> tuple[Faces, Faces] | None:
    """Return the icon dice of both sides; the defender has the attacker's unless the line gives others."""
    if "attack.icons" not in options and "defence.icons" not in options:
        return base.faces
    if "attack.icons" in options:
        ours = read_part("attack.icons", partial(Faces.of, options["attack.icons"]))
    elif base.faces:
        ours = base.faces[0]
    else:
        raise BattleError("defence.icons", "the attacker's icon dice are missing: `icons AAD,A,D,- 3 4`")
    return ours, read_part(
        "defence.icons", partial(Faces.of, options["defence.icons"])
    ) if "defence.icons" in options else ours
