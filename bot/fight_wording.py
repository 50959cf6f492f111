"""A live battle in words: where it stands, how it ended, and a row for every throw with every die."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from bot import army_fight_wording, army_wording, bombing_wording, raid_fight_wording, waves_wording
from bot.commands.path import every, march_text
from bot.engine import AnyOdds
from bot.languages import N_, _, _n, _p
from bot.names import safe_name
from bot.narrow import folded, is_narrow, narrow
from bot.replay import ReplayError, Rolled, damage, replay
from bot.store.battles import Player, Roll
from bot.swing_wording import battle_titles
from bot.wording import certain, describe
from solver import Battle, Faces, Odds, Pool
from solver.axis import AxisBattle
from solver.axis_fights import AxisFight, Volley
from solver.axis_odds import AxisOdds
from solver.bombing import Raid
from solver.fights import DiceFight, Fight, PathFight, Throw
from solver.luck import axis_percentile, path_percentile, percentile
from solver.paths import Path, PathOdds
from solver.play import Die, Round
from solver.raid_fights import RaidFight
from solver.waves import Waves
from solver.waves_fights import WavesFight

MOST_DICE_SHOWN = 8
"""More icon dice than this are told by how many show each face."""


class Stage(NamedTuple):
    """A battle after a throw, or after a retreat (no throw), or before the first: with the chance to win from there.

    `real` dice were thrown on somebody's table and typed.
    """

    fight: Fight
    throw: Throw | None = None
    chance: float | None = None
    real: bool = False


def staged(battle: Rolled, rolls: Sequence[Roll], start: float | None = None) -> list[Stage]:
    """A battle before the first throw, with its chance then, and after each entry of its log.

    UserError where that log is none of this battle's.
    """
    log = [json.loads(roll.entry) for roll in rolls]
    chances = [start, *(roll.chance for roll in rolls)]
    real = [False, *(entry.get("real", False) for entry in log)]
    try:
        steps = replay(battle, log)
    except ReplayError as error:
        raise damage(error) from None
    return [Stage(*step, *more) for step, *more in zip(steps, chances, real, strict=True)]


def names_of(players: Sequence[Player]) -> str:
    """Who fights whom, where somebody was named: "Alice attacks Bob"."""
    named = {player.role: safe_name(player.name) for player in players}
    if "defender" not in named:
        return ""
    return _("{attacker} attacks {defender}", attacker=named["attacker"], defender=named["defender"])


def who_meets(battle: Rolled) -> str:
    """Who meets whom, in a few words."""
    if isinstance(battle, AxisBattle):
        return army_wording.describe(battle)
    if isinstance(battle, Waves):
        return waves_wording.describe(battle)
    if isinstance(battle, Raid):
        return bombing_wording.describe(battle)
    return march_text(battle) if isinstance(battle, Path) else describe(_dice(battle))


def titles(battle: Rolled) -> tuple[str, ...]:
    """Say who meets whom in the title of a picture, the longest way first."""
    if isinstance(battle, AxisBattle):
        return battle_titles(battle)
    return waves_wording.titles(battle) if isinstance(battle, Waves) else (who_meets(battle),)


def headline(stages: Sequence[Stage]) -> str:
    """How it ended, or where it stands and how likely the attacker is to win."""
    here, chance = stages[-1].fight, stages[-1].chance
    if here.ended is not None:
        return outcome(here, sum(stage.throw is not None for stage in stages))
    if chance is None:
        return left(here)
    wins, waves = certain(chance), isinstance(here, WavesFight)
    if len(stages) == 1:
        return (
            _("Attacker holds it in the end: {chance}", chance=wins)
            if waves
            else _("Attacker wins {chance}", chance=wins)
        )
    odds = (
        _("attacker holds it in the end: {chance}", chance=wins) if waves else _("attacker wins {chance}", chance=wins)
    )
    return f"{left(here)} · {odds}"


def left(fight: Fight) -> str:
    """Who is left: "8 against 5"."""
    if isinstance(fight, PathFight):
        armies, legs = left(fight.fight), len(fight.path.legs)
        return _("{armies} in territory {place} of {territories}", armies=armies, place=fight.leg + 1, territories=legs)
    if isinstance(fight, AxisFight):
        return army_fight_wording.left(fight)
    if isinstance(fight, WavesFight):
        return army_fight_wording.waves_left(fight)
    if isinstance(fight, RaidFight):
        return raid_fight_wording.left(fight)
    assert isinstance(fight, DiceFight), "there are no other games"
    return _("{attackers} against {defenders}", attackers=fight.attackers, defenders=fight.defenders)


def outcome(fight: Fight, rounds: int) -> str:
    """How it ended, in words."""
    if isinstance(fight, PathFight):
        return _march_outcome(fight)
    if isinstance(fight, AxisFight):
        return army_fight_wording.outcome(fight)
    if isinstance(fight, WavesFight):
        return army_fight_wording.waves_outcome(fight)
    if isinstance(fight, RaidFight):
        return raid_fight_wording.outcome(fight)
    assert isinstance(fight, DiceFight), "there are no other games"
    if fight.ended == "won":
        return _("Attacker wins with {attackers} left", attackers=fight.attackers)
    if fight.ended == "nobody":
        return _("Both sides are wiped out")
    if fight.ended == "lost":
        return _("Defender holds with {defenders} left", defenders=fight.defenders)
    if not rounds and fight.ended == "stopped":
        return _("The attack ends before the first roll")
    after = _n("after {n} round", "after {n} rounds", rounds)
    return _("Attack called off {after}, {left} left", after=after, left=left(fight))


def _march_outcome(fight: PathFight) -> str:
    legs = len(fight.path.legs)
    if fight.ended == "won":
        return _("Takes {territories} with {attackers} left", territories=every(legs), attackers=fight.fight.attackers)
    text = (
        N_("Attack called off at territory {place} of {territories}, {left} left")
        if fight.fight.attackers
        else N_("Stopped at territory {place} of {territories}, {left} left")
    )
    return _(text, place=fight.leg + 1, territories=legs, left=left(fight.fight))


def standing(odds: AnyOdds, fight: Fight) -> float | None:
    """Where the end of a battle stands for the attacker among all, 0 to 1; None where that is not told."""
    if isinstance(odds, PathOdds) and isinstance(fight, PathFight):
        here = fight.fight
        taken = fight.leg + (fight.ended == "won")
        return path_percentile(odds, taken, here.attackers, here.defenders)
    if isinstance(odds, Odds) and isinstance(fight, DiceFight):
        return percentile(odds, fight.attackers, fight.defenders)
    if isinstance(odds, AxisOdds) and isinstance(fight, AxisFight):
        (profit,), _chances = fight.as_odds().profit
        return axis_percentile(odds, float(profit))
    return None


def ribbon(stages: Sequence[Stage]) -> tuple[list[float | None], list[str]]:
    """The chance to win before the first round and after each, and in few signs who is left; of armies nothing.

    Who retreats has no dice to blame for that.
    """
    rounds = [stages[0], *(stage for stage in stages[1:] if stage.throw and stage.fight.resting)]
    marks = [f"{one.fight.attackers}–{one.fight.defenders}" for one in rounds if isinstance(one.fight, DiceFight)]
    return [stage.chance for stage in rounds], marks


def sides(battle: Rolled) -> tuple[str, str]:
    """What the defender and the attacker hope for."""
    if isinstance(battle, Waves):
        return _("defender in the end"), _("attacker in the end")
    land = isinstance(battle, AxisBattle) and battle.theatre == "land"
    wins = _p("short", "attacker takes it") if land else _p("short", "attacker wins")
    return _p("short", "defender holds"), wins


def table(stages: Sequence[Stage]) -> tuple[str, ...]:
    """A row for the start and for each throw: number, dice, what is left, the chance to win from there."""
    if isinstance(stages[0].fight, AxisFight | WavesFight):
        return tuple(chain.from_iterable(map(_army_rows, [None, *stages], stages)))
    if isinstance(stages[0].fight, RaidFight):
        return tuple(chain.from_iterable(raid_fight_wording.rows(stage.throw, stage.real) for stage in stages[1:]))
    cells: list[list[str]] = [["", _("attack"), _("defence"), _("left"), _("win")]]
    number = 0
    for before, stage in zip([stages[0], *stages], stages, strict=False):
        number += stage.throw is not None
        cells.append(_row(number, before.fight, stage))
    return narrow(cells, "<<<<>") if is_narrow(cells) else tuple(chain.from_iterable(map(_dice_rows, cells[1:])))


def attacks(fight: Fight) -> Literal["attacker", "defender"]:
    """Whose attack is under way: in a later wave it may be that of who defended first."""
    return "defender" if isinstance(fight, WavesFight) and fight.side == 1 else "attacker"


def _army_rows(before: Stage | None, stage: Stage) -> Iterator[str]:
    """The rows of a throw, or a retreat, and what it left; of several waves also where the next one begins."""
    fight, waves = stage.fight, stage.fight if isinstance(stage.fight, WavesFight) else None
    army = waves.fight if waves else fight
    assert isinstance(army, AxisFight), "all stages are of one game"
    if isinstance(stage.throw, Volley):
        yield from army_fight_wording.volley(stage.throw, stage.real)
    elif before:
        yield f"   {_('retreat')}"
    if waves and not (before and isinstance(before.fight, WavesFight) and before.fight.wave == waves.wave):
        yield _("wave {place}", place=waves.wave + 1)
    if fight.resting:
        yield from army_fight_wording.state(army, None if fight.ended else stage.chance)


def _dice_rows(row: Sequence[str]) -> Iterator[str]:
    """The lines of a row that is too long for one: the dice of each side, and what is left."""
    number, attack, defence, left, win = row
    names = [_("att"), _("def")] if defence else [""]
    width = max(map(len, names)) + 1 if defence else 0
    for name, dice in zip(names, filter(None, (attack, defence)), strict=False):
        first = f"{f'{number} ':<3}{name:<{width}}"
        yield from folded(dice, first, " " * len(first))
        number = ""
    yield from folded(f"{left}  {win}".rstrip(), " " * 3, " " * 5)


def _row(number: int, before: Fight, stage: Stage) -> list[str]:
    win = "" if stage.chance is None or stage.fight.ended else certain(stage.chance)
    if isinstance(stage.throw, Round):
        fought = before.fight if isinstance(before, PathFight) else before
        assert isinstance(fought, DiceFight), "rounds of dice are of battles with dice"
        dice = _both_sides(fought.battle, stage.throw)
        return [f"{number}{'*' if stage.real else ''}", *dice, _state(stage.fight), win]
    return ["", _("retreat") if stage.fight.ended == "retreat" else "", "", _state(stage.fight), win]


def _state(fight: Fight) -> str:
    if isinstance(fight, PathFight):
        return f"{fight.leg + 1}: {_state(fight.fight)}"
    assert isinstance(fight, DiceFight), "there are no other games"
    return _p("short", "{attackers} v {defenders}", attackers=fight.attackers, defenders=fight.defenders)


def _both_sides(battle: Battle, fought: Round) -> list[str]:
    dice, values = (fought.attack, fought.defence), (fought.attack_values, fought.defence_values)
    if battle.faces:
        return [_icons(*side) for side in zip(dice, battle.faces, values, strict=True)]
    return [_pool(*side) for side in zip(dice, battle.pools, values, strict=True)]


def _icons(dice: tuple[Die, ...], faces: Faces, values: tuple[int, ...]) -> str:
    """Icon dice, "AAD A – = 3A 1D"; many of them as "3×AAD 2×A 4×– = 11A 3D"."""
    shown = [faces.words[die.face - 1] or "–" for die in dice]
    if len(shown) > MOST_DICE_SHOWN:
        shown = [
            f"{shown.count(word)}×{word}" for word in dict.fromkeys(w or "–" for w in faces.words) if word in shown
        ]
    return f"{' '.join(shown)} = {values[0]}A {values[1]}D"


def _pool(dice: tuple[Die, ...], pool: Pool, values: tuple[int, ...]) -> str:
    """Dice, highest first: "6+1 4 1→5" is a six with its bonus, a four, and a one that was rolled again.

    What counts is added where that is not plain to see: "9-1 2 = 5 2" for dice held within 2 to 5.
    """
    ranked = sorted(dice, key=lambda die: die.face, reverse=True)
    bonus = (*pool.bonus, *[0] * len(ranked))
    falls = ["→".join(str(face) for face in die.faces) for die in ranked]
    text = " ".join(f"{fall}{plus:+d}" if plus else fall for fall, plus in zip(falls, bonus, strict=False))
    seen = tuple(die.face + plus for die, plus in zip(ranked, bonus, strict=False))
    return text if seen == values else f"{text} = {' '.join(map(str, values))}"


def _dice(battle: Rolled) -> Battle:
    assert isinstance(battle, Battle), "there are no other games"
    return battle
