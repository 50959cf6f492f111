"""The battle of dice that a line says, once it is known what its words say; BattleError where there is none."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships
from solver.dice import MOST_DICE
from solver.documents import within
from solver.errors import check_count
from solver.ships import SHIPS


def built(said: Mapping[str, Any], base: Battle) -> Battle:
    """The battle of these fields, where what is not said is as in `base`."""
    caps = said.get("dice", (None, None))
    reshape = base.reshape
    if "reshape" in said:
        reshape = said["reshape"] and within("reshape", partial(Reshape, *said["reshape"]))
    return Battle(
        said["attackers"],
        said["defenders"],
        _pool("attack", said, base.attack, caps[0]),
        _pool("defence", said, base.defence, caps[1]),
        ships_of("attack", said, base.attack_ships),
        ships_of("defence", said, base.defence_ships),
        faces=_faces(said, base),
        reshape=reshape,
        variant=base.variant,
        ties=said.get("ties", base.ties),
        late=said.get("late", base.late),
        **{key: said[key] for key in ("stop", "reserve", "rounds", "value") if key in said},
    )


def _pool(side: str, said: Mapping[str, Any], base: Pool, cap: int | None) -> Pool:
    dice = said.get(f"{side}.dice", base.dice)
    if cap is not None:
        check_count("dice", cap, 1, MOST_DICE, "a side can roll {least} to {most} dice, not {value}")
        if cap > len(dice) and f"{side}.dice" in said:
            told = {"asked": cap, "word": f"{side[0]}dice", "named": len(dice)}
            raise BattleError("dice", "`dice` asks for {asked} dice, but `{word}` lists {named}", **told)
        dice = (*sorted(dice, reverse=True), *[6] * cap)[:cap]
    parts = {part: said.get(f"{side}.{part}", getattr(base, part)) for part in ("rerolls", "bonus", "clamp")}
    if f"{side}.bonus" not in said:
        parts["bonus"] = parts["bonus"][: len(dice)]
    return within(side, partial(Pool, dice, **parts))


def ships_of(side: str, said: Mapping[str, Any], base: Ships) -> Ships:
    """The ships of a side, "attack" or "defence"."""
    before = base.to_dict()
    return within(side, partial(Ships, *(said.get(f"{side}.{kind}", before[kind]) for kind in SHIPS)))


def _faces(said: Mapping[str, Any], base: Battle) -> tuple[Faces, Faces] | None:
    """The icon dice: the attacker's are the defender's too where nothing else is said."""
    if "attack.icons" not in said and "defence.icons" not in said:
        return base.faces
    if "attack.icons" in said:
        ours = within("attack.icons", partial(Faces.of, said["attack.icons"]))
    elif base.faces:
        ours = base.faces[0]
    else:
        raise BattleError("defence.icons", "the attacker's icon dice are missing: `icons AAD,A,D,- 3 4`")
    return ours, within("defence.icons", partial(Faces.of, said["defence.icons"])) if "defence.icons" in said else ours
