"""The canonical line of a battle or a path."""

from dataclasses import astuple, replace
from decimal import Decimal

from bot.matchup.armies_writing import write_armies
from bot.packs import load
from solver import Battle, Pool
from solver.axis import AxisBattle
from solver.paths import Path
from solver.waves import Waves

PLAIN = Battle(1, 1)


AnyBattle = Battle | Path | AxisBattle | Waves
"""Whatever a line can mean."""


def write(battle: AnyBattle) -> str:
    """The canonical line: pasted anywhere, it is that battle, or that path, again."""
    if isinstance(battle, AxisBattle | Waves):
        return write_armies(battle)
    if isinstance(battle, Path):
        return _path(battle)
    return " ".join([f"{battle.attackers} {battle.defenders}", *_words(battle)])


def usual(variant: str) -> Battle:
    """The rules from which a line goes on: those of a rule pack, or of classic Risk."""
    pack = load().get(variant)
    return pack.usual if pack else PLAIN


def leg_words(path: Path) -> list[list[str]]:
    """Of each territory the words for the rules that are not those of the whole path."""
    shared, legs = _parted(path)
    return [[word for word in words if word not in shared] for words in legs]


def _path(path: Path) -> str:
    """What is the same in every leg stands before the first one, all else in its leg; plans stand at the end."""
    first = path.legs[0]
    line = " ".join([str(first.attackers), *_parted(path)[0], *_army(path)])
    for leg, words in zip(path.legs, leg_words(path), strict=True):
        own = (f"a{word}" if word.startswith("icons") else word for word in words)
        line += " > " + " ".join([str(leg.defenders), *own])
    same = len(set(path.leave)) <= 1
    line += f" leave:{path.leave[0] if same else _commas(path.leave)}" if path.leave else ""
    return line + (f" stop:{first.stop}" if first.stop else "")


def _parted(path: Path) -> tuple[list[str], list[list[str]]]:
    """The words that all legs share, and all words of each leg, without the plans and the army's ships."""
    ships = path.legs[0].attack_ships.to_dict()
    words = [
        [word for word in _words(replace(leg, stop=0)) if word.partition(":")[0] not in ships] for leg in path.legs
    ]
    return [word for word in words[0] if all(word in of_leg for of_leg in words)], words


def _army(path: Path) -> list[str]:
    """The army's ships, which go all the way: as many as are of use in some leg."""
    fleets = [(leg.attack_ships.to_dict(), usual(leg.variant).attack_ships.to_dict()) for leg in path.legs]
    told = [kind for kind in fleets[0][0] if any(ours[kind] != base[kind] for ours, base in fleets)]
    return [f"{kind}:{max(ours[kind] for ours, _ in fleets)}" for kind in told]


def _words(battle: Battle) -> list[str]:
    """All that is said beside the numbers."""
    base = usual(battle.variant)
    words = [f"variant:{battle.variant}"] if base.variant else []
    words += _dice(battle, base)
    for prefix, ours, theirs in (
        ("", battle.attack_ships, base.attack_ships),
        ("d", battle.defence_ships, base.defence_ships),
    ):
        before = theirs.to_dict()
        words += [f"{prefix}{kind}:{count}" for kind, count in ours.to_dict().items() if count != before[kind]]
    if battle.ties != base.ties:
        words.append(f"ties:{battle.ties}")
    if battle.late != base.late:
        words.append("late" if battle.late else "late:no")
    if battle.reshape != base.reshape:
        words.append(f"reshape:{_plainly(astuple(battle.reshape)) if battle.reshape else 'none'}")
    plans = {name: getattr(battle, name) for name in ("stop", "reserve", "rounds", "value")}
    words += [f"{name}:{number}" for name, number in plans.items() if number or (number == 0 and name in _COUNTS_AS_0)]
    return words


_COUNTS_AS_0 = ("rounds", "value")


def _dice(battle: Battle, base: Battle) -> list[str]:
    """The dice, where they are not those of the rules."""
    words = []
    if battle.faces and battle.faces != base.faces:
        ours, theirs = (",".join(word or "-" for word in faces.words) for faces in battle.faces)
        words += [f"icons:{ours}", *([f"dicons:{theirs}"] if theirs != ours else [])]
    counts = len(battle.attack.dice), len(battle.defence.dice)
    plain = all(set(one.attack.dice + one.defence.dice) == {6} for one in (battle, base))
    if plain and counts != (len(base.attack.dice), len(base.defence.dice)):
        words.append(f"dice:{counts[0]}v{counts[1]}")
    for prefix, pool, before in (("a", battle.attack, base.attack), ("d", battle.defence, base.defence)):
        words += _pool(prefix, pool, before, plain)
    return words


def _pool(prefix: str, pool: Pool, before: Pool, plain: bool) -> list[str]:
    words = []
    if not plain and pool.dice != before.dice:
        words.append(f"{prefix}dice:{_commas(pool.dice)}")
    if pool.rerolls != before.rerolls:
        words.append(f"{prefix}rerolls:{pool.rerolls}")
    if pool.bonus != before.bonus:
        words.append(f"{prefix}bonus:{_commas(pool.bonus or (0,))}")
    if pool.clamp != before.clamp:
        words.append(f"{prefix}clamp:{f'{pool.clamp[0]}..{pool.clamp[1]}' if pool.clamp else 'none'}")
    return words


def _plainly(numbers: tuple[float, ...]) -> str:
    """Numbers without a power of ten, which the notation does not read: 0.00001, not 1e-05."""
    return ",".join(f"{Decimal(str(number)):f}" for number in numbers)


def _commas(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in numbers)
