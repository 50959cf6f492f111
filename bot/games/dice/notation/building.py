"""The meaning of the fields of a dice line: its game, who stays behind, the battle, and remarks about its words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.games.base import Reading
from bot.games.dice.notation.writing import usual_rules
from bot.languages import _, _n
from bot.notation.defaults import NotationDefaults, current_defaults
from bot.notation.dice_options import CLASSIC, OF_DICE, PLANS, RULES, SIX, commas
from bot.notation.lexer import Fields, ParsedOption
from bot.notation.mistakes import MatchupError
from bot.notation.reading import idle_remark, round_remarks
from bot.packs import load, rules_with_dice
from solver import Battle, BattleError, Faces, Pool, Ships
from solver.dice.battle import MOST_ARMIES
from solver.dice.pools import MOST_DICE, DiceKept
from solver.dice.ships import SHIPS
from solver.documents import read_part
from solver.errors import check_count

OWN_GAME = {f"{side}{word}" for side in ("", "a", "d") for word in (*SHIPS, "icons")}
"""Words that tell the game: a line that has one is not in the game that is usual where it is typed."""

MOST_MEANT = 3
"""The most sides of a lone die that may be meant as a number of dice."""


def in_usual_game(line: str, legs: list[Fields]) -> list[Fields]:
    """Return the options of a line in the game that is usual here, unless a word names another."""
    has_own_game = any(key.rpartition(".")[2] in OWN_GAME for fields in legs for key in fields)
    if current_defaults().game != CLASSIC and not has_own_game and "variant" not in legs[0]:
        legs[0]["variant"] = ParsedOption(current_defaults().game, 0, len(line), saved=True)
    return legs


def take_garrison(line: str, legs: list[Fields], lone: str) -> tuple[int, tuple[str, ...]]:
    """Take those who stay behind from the attackers; return their number, and the remark about it.

    The line says how many, or it is as usual where a number is typed; a lone one that tells only a size has nobody.
    """
    ours, option = legs[0].get("attackers"), legs[0].pop("behind", None)
    counted = not (ours and ours.saved) and not (lone == "attackers" and "defenders" not in legs[0])
    usual = current_defaults().behind
    behind = option.value if option else usual if usual and counted and not _with_icons(legs) else 0
    if not ours or not behind:
        return behind, ()
    if ours.value < behind:
        reason = _("An army of {attackers} can't leave {behind} behind.", attackers=ours.value, behind=behind)
        raise MatchupError(line, *(option or ours)[1:3], reason)
    if ours.value - behind > MOST_ARMIES:
        return behind, ()  # It is refused as it was typed.
    legs[0]["attackers"] = ours._replace(value=ours.value - behind)
    text = _n(
        "{n} of the {attackers} stays behind.", "{n} of the {attackers} stay behind.", behind, attackers=ours.value
    )
    return behind, (text,)


def _with_icons(legs: list[Fields]) -> bool:
    """Return whether somebody rolls icon dice; their armies have no garrison."""
    packs = (fields["variant"].value for fields in legs if "variant" in fields)
    return any(key.endswith(".icons") for fields in legs for key in fields) or any(
        usual_rules(pack).faces for pack in packs
    )


def stays_behind(reading: Reading, defaults: NotationDefaults) -> int:
    """Return how many of an attacker's number stay behind, as the line or else the place counts."""
    behind: int = reading.details.behind
    return behind or (0 if reading.battle.faces else defaults.behind)


def build_battle(options: Mapping[str, Any], base: Battle) -> Battle:
    """Build the battle of these fields, as in `base` without them; BattleError names the field that is wrong."""
    caps = options.get("dice", (None, None))
    plain = {
        option.field: option.make(options[option.word]) if option.make else options[option.word]
        for option in (*RULES, *PLANS)
        if option.word in options
    }
    return replace(
        base,
        attackers=options["attackers"],
        defenders=options["defenders"],
        attack=_pool("attack", options, base, caps[0]),
        defence=_pool("defence", options, base, caps[1]),
        attack_ships=ships_of("attack", options, base.attack_ships),
        defence_ships=ships_of("defence", options, base.defence_ships),
        faces=_faces(options, base),
        **plain,
    )


def _pool(side: str, options: Mapping[str, Any], usual: Battle, cap: int | None) -> Pool:
    """Return the dice of a side: those of the line, and what it leaves out as its variant has it with such dice."""
    base: Pool = getattr(usual, side)
    dice, keep, worst = options.get(f"{side}.dice", base.kept)
    rules = _rules_with(side, options, usual.variant, cap)
    if cap is not None:
        dice, keep = rules["dice"], None
    fields = {option.field.rpartition(".")[2]: f"{side}.{option.word}" for option in OF_DICE}
    parts = {field: options.get(key, rules.get(field, getattr(base, field))) for field, key in fields.items()}
    if options.get(fields["once"]) and not parts["rerolls"]:
        words = {"word": f"{side[0]}rerollonce", "rerolls": f"{side[0]}rerolls:1"}
        both = "{rerolls} {word}".format_map(words)
        raise BattleError(fields["once"], "`{word}` says how 1s are rerolled: add `{rerolls}`", **words, instead=both)
    if f"{side}.bonus" not in options:
        parts["bonus"] = parts["bonus"][: keep or len(dice)]
    return read_part(side, partial(Pool, dice, keep=keep, worst=worst, **parts))


def _rules_with(side: str, options: Mapping[str, Any], variant: str, cap: int | None) -> dict[str, Any]:
    """Return what a variant says of a side with the dice that a line has; nothing if the line has none of its own."""
    own = {name: options[key] for name in ("dice", "explosions") if (key := f"{side}.{name}") in options}
    kept: DiceKept | None = own.get("dice")
    if kept:
        own["dice"] = sorted(kept.dice, reverse=True)[:cap]
    if cap is not None:
        check_count("dice", cap, 1, MOST_DICE, "a side can roll {least} to {most} dice, not {value}")
        if kept and (cap > len(kept.dice) or kept.keep):
            values = {"asked": cap, "word": f"{side[0]}dice", "named": len(kept.dice)}
            raise BattleError("dice", "`dice` asks for {asked} dice, but `{word}` lists {named}", **values)
        own |= {} if kept else {"number": cap}
    return rules_with_dice(variant, side, own)


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


def battle_remarks(battle: Battle) -> Iterator[str]:
    """Explain plans of a battle that make no difference, or may be meant otherwise, and what is unsure of its rules."""
    if 0 < battle.stop <= battle.reserve:
        plans = {"stop": f"stop:{battle.stop}", "reserve": f"reserve:{battle.reserve}"}
        yield _("With `{reserve}`, `{stop}` makes no difference.", **plans)
    if battle.rounds is not None:
        yield from round_remarks([battle.rounds])
    yield from doubts([battle])


def doubts(battles: Iterable[Battle]) -> list[str]:
    """Say what is not sure about the variants of some battles, each once."""
    packs = load()
    named = [packs[key] for battle in battles for key in battle.variant.split(",") if key in packs]
    texts = dict.fromkeys(packs[key].unsure for pack in named for key in (pack.key, *pack.changes))
    return [_(text) for text in texts if text]


def ship_remarks(line: str, fields: Fields, battle: Battle) -> Iterator[str]:
    """Name the ships and rerolls of a line that are more than can be used."""
    for side, pool, ships in (
        ("attack", battle.attack, battle.attack_ships),
        ("defence", battle.defence, battle.defence_ships),
    ):
        for kind, useful in {**ships.to_dict(), "rerolls": pool.rerolls}.items():
            field = fields.get(f"{side}.{kind}")
            if field and field.value > useful:
                word = line[field.start : field.end]
                yield idle_remark(word, useful)


def die_remarks(line: str, fields: Fields) -> Iterator[str]:
    """Say of a lone small number that it is the sides of one die, as it may be meant as a number of dice."""
    for field in [fields[key] for key in ("attack.dice", "defence.dice") if key in fields]:
        sides, *others = field.value.dice
        if not others and 2 <= sides <= MOST_MEANT:
            word = line[field.start : field.end]
            more = f"{word.partition(':')[0]}:{commas([SIX] * sides)}"
            yield _(
                "`{word}` is one die with {n} sides; `{more}` are {n} dice with six.", word=word, n=sides, more=more
            )


def reroll_remarks(line: str, fields: Fields, battle: Battle) -> Iterator[str]:
    """Say of a single reroll that it is for one die, as all dice that show a 1 may be meant."""
    for side, pool in (("attack", battle.attack), ("defence", battle.defence)):
        field = fields.get(f"{side}.rerolls")
        if field and field.value == 1 and len(pool.dice) > 1:
            word = line[field.start : field.end]
            more = f"{side[0]}rerolls:{len(pool.dice)}"
            yield _("`{word}` rerolls one 1 a round; `{more}` rerolls every 1.", word=word, more=more)


def explicit(line: str, defaults: NotationDefaults) -> str:
    """Return the line of a battle or a path with the game, and with nobody who stays behind, if defaults differ."""
    head, step, legs = line.partition(" > ")
    words = {word.partition(":")[0] for word in line.split()}
    if defaults.game != CLASSIC and "variant:" not in head and not words & OWN_GAME:
        head += f" variant:{CLASSIC}"
    line = f"{head}{step}{legs}"
    counted = defaults.behind and "behind" not in words and not _has_icons(line, words)
    return f"{line} behind:0" if counted else line


def _has_icons(line: str, words: set[str]) -> bool:
    """Tell whether somebody rolls icon dice."""
    packs = re.findall(r" variant:(\S+)", line)
    return any(word.endswith("icons") for word in words) or any(usual_rules(pack).faces for pack in packs)
