"""A live battle with dice in words: every die of every round, typed icons, and the checks before it begins."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from bot.errors import UserError
from bot.games.dice.notation.writing import usual_rules
from bot.games.dice.work import check_size
from bot.games.live import Live, LiveStage, TypedDice, text_without_dice
from bot.languages import _, _n, _p, number
from bot.live.rolling import LONGEST_FACE, MOST_AT_ONCE
from bot.words.narrow import fold, is_narrow, narrow
from bot.words.numbers import exact_percent
from bot.work.engine import Engine
from solver import Battle, Faces, Pool
from solver.dice.battle import grid_seconds
from solver.dice.faces import BLANKS
from solver.dice.fight import DiceFight, Round
from solver.dice.pools import DIE_BY_DIE
from solver.game import Die

MOST_DICE_SHOWN = 8
"""Of more icon dice than this the table counts how many show each face."""


def left_text(fight: DiceFight) -> str:
    """Say who is left: "8 against 5"."""
    return _("{attackers} against {defenders}", attackers=fight.attackers, defenders=fight.defenders)


def outcome(fight: DiceFight, rounds: int) -> str:
    """Say how the battle ended."""
    if fight.ended == "won":
        return _("Attacker wins with {attackers} left", attackers=fight.attackers)
    if fight.ended == "nobody":
        return _("Both sides are wiped out")
    if fight.ended == "lost":
        return _("Defender holds with {defenders} left", defenders=fight.defenders)
    if not rounds and fight.ended == "stopped":
        return _("The attack ends before the first roll")
    after = _n("after {n} round", "after {n} rounds", rounds)
    return _("Attack called off {after}, {left} left", after=after, left=left_text(fight))


def mark(fight: DiceFight) -> str:
    """Write who is left in a few signs: "8–5"."""
    return f"{fight.attackers}–{fight.defenders}"


def rows(stages: Sequence[LiveStage[DiceFight, Round]]) -> tuple[str, ...]:
    """Return the table: number, dice, who is left and the chance to win from there."""
    return rounds_table(stages, [stage.fight for stage in stages], [left_briefly(stage.fight) for stage in stages])


def left_briefly(fight: DiceFight) -> str:
    """Say who is left in a cell of the table: "8 v 5"."""
    return _p("short", "{attackers} v {defenders}", attackers=fight.attackers, defenders=fight.defenders)


def rounds_table(
    stages: Sequence[LiveStage[Any, Round]], fights: Sequence[DiceFight], lefts: Sequence[str]
) -> tuple[str, ...]:
    """Return the table of a battle with dice, or of several one after another.

    Args:
        stages: The stages.
        fights: The battle with dice that is under way at each of them.
        lefts: Says for each of them who is left.
    """
    cells, number = [headings()], 0
    for before, stage, left in zip([fights[0], *fights], stages, lefts, strict=False):
        cells.append(round_cells(number + 1, before.battle, stage, left))
        number += stage.throw is not None and not stage.taken_back
    return tuple(chain.from_iterable(lines_of_rows(cells)))


def headings() -> list[str]:
    """Return the headings of a table of rounds."""
    return ["", _("attack"), _("defence"), _("left"), _("win")]


def lines_of_rows(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each row of a table of rounds, the headings first; no headings where it is too wide."""
    if is_narrow(cells):
        return [[line] for line in narrow(cells, "<<<<>")]
    return [[], *(list(_dice_rows(row)) for row in cells[1:])]


def round_cells(number: int, battle: Battle, stage: LiveStage[Any, Round], left: str) -> list[str]:
    """Return the cells of a stage; its dice were rolled in this battle."""
    win = "" if stage.chance is None or stage.fight.ended else exact_percent(stage.chance)
    if stage.throw:
        return [f"{number}{'*' if stage.real else ''}", *_both_sides(battle, stage.throw), left, win]
    has_name = stage.taken_back or stage.fight.ended == "retreat"
    return ["", text_without_dice(stage) if has_name else "", "", left, win]


def _dice_rows(cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a row that is too long for one: the dice of each side, then who is left."""
    number, attack, defence, left, win = cells
    names = [_("att"), _("def")] if defence else [""]
    width = max(map(len, names)) + 1 if defence else 0
    for name, dice in zip(names, filter(None, (attack, defence)), strict=False):
        first = f"{f'{number} ':<3}{name:<{width}}"
        yield from fold(dice, first, " " * len(first))
        number = ""
    yield from fold(f"{left}  {win}".rstrip(), " " * 3, " " * 5)


def _both_sides(battle: Battle, throw: Round) -> list[str]:
    dice, values = (throw.attack, throw.defence), (throw.attack_values, throw.defence_values)
    if battle.faces:
        return [_icons(*side, battle.luck) for side in zip(dice, battle.faces, values, strict=True)]
    texts = [_numbers(*side) for side in zip(dice, battle.pools, values, strict=True)]
    return [f"{text} = {sum(side)}" for text, side in zip(texts, values, strict=True)] if battle.totals else texts


def _icons(dice: tuple[Die, ...], faces: Faces, values: tuple[int, ...], luck: int) -> str:
    """Write icon dice, "AAD A – = 3A 1D"; many of them as "3×AAD 2×A 4×– = 11A 3D".

    Where less luck than they have changes what they kill, that follows: "A A A = 3A, 16% luck: 2A".
    """
    shown = sum(faces.faces[die.face - 1][0] for die in dice)
    words = [faces.words[die.face - 1] or "–" for die in dice]
    if len(words) > MOST_DICE_SHOWN:
        kinds = dict.fromkeys(word or "–" for word in faces.words)
        words = [f"{words.count(kind)}×{kind}" for kind in kinds if kind in words]
    if shown != values[0]:
        return f"{' '.join(words)} = {shown}A, {_('{luck}% luck', luck=luck)}: {values[0]}A"
    return f"{' '.join(words)} = {values[0]}A {values[1]}D"


def _numbers(dice: tuple[Die, ...], pool: Pool, values: tuple[int, ...]) -> str:
    """Write dice, highest first: "6+1 4 1→5" is a six with its bonus, a four, and a one that was rolled again.

    "(6+2)" is a die that exploded. The values follow if they differ from what the dice show: "9-1 2 = 5 2" for dice
    held within 2 to 5.
    """
    own = [pool.leader, *[0] * len(dice)]
    ranked = sorted(zip(dice, own, strict=False), key=lambda pair: pair[0].face + pair[1], reverse=True)
    added = [plus + bonus for (_die, plus), bonus in zip(ranked, (*pool.bonus, *own[1:]), strict=False)]
    text = " ".join(
        f"{_faces_text(die)}{plus:+d}" if plus else _faces_text(die)
        for (die, _own), plus in zip(ranked, added, strict=True)
    )
    seen = tuple(die.face + plus for (die, _own), plus in zip(ranked, added, strict=True))
    return text if seen == values else f"{text} = {' '.join(map(str, values))}"


def _faces_text(die: Die) -> str:
    """Write all that a die showed, "1→(6+2)" if its 1 was rolled again and became a 6 that exploded."""
    faces = [str(face) for face in die.faces]
    last = f"({'+'.join(faces[-die.throws :])})" if die.throws > 1 else faces[-1]
    return "→".join([*faces[: -die.throws], last])


def highest_first(dice: Sequence[Die]) -> list[Die]:
    """Return dice with numbers, highest first."""
    return sorted(dice, key=lambda die: die.face, reverse=True)


def shown_dice(throw: Round, fight: DiceFight) -> tuple[list[Die], list[Die]] | None:
    """Return the dice of both sides, highest first; None for icon dice."""
    return None if fight.battle.faces else (highest_first(throw.attack), highest_first(throw.defence))


def read_faces(text: str, fight: DiceFight) -> TypedDice | None:
    """Read icons that somebody typed as letters, "AAD A - vs D D"; None if they are numbers."""
    letters = re.search("[ad–-]|empty", text.casefold().replace("against", ""))
    faces = fight.battle.faces
    if not letters or not faces:
        return None
    sides = re.split(r"vs?\.?|against|[/|:;]", text.strip().upper().replace("–", "-"), flags=re.IGNORECASE)
    if len(sides) != 2:
        raise UserError(_("Type what you rolled, the attacker's dice first: `AAD A - vs D D`."))
    return _read_icons(sides[0], faces[0]), _read_icons(sides[1], faces[1])


def _read_icons(text: str, die: Faces) -> tuple[int, ...]:
    """Return the numbers of the faces of one side; each of BLANKS is a blank face."""
    words = [word or "-" for word in die.words]
    typed = ["-" if word.lower() in BLANKS else word for word in text.replace(",", " ").split()]
    if unknown := [word for word in typed if word not in words]:
        known = ", ".join(dict.fromkeys(words))
        raise UserError(
            _("These dice have no face `{face}`, only {faces}.", face=unknown[0][:LONGEST_FACE], faces=known)
        )
    return tuple(words.index(word) + 1 for word in typed)


def faces_hint(fight: DiceFight) -> str:
    """Say how icons are typed, or that the order of dice matters; "" if there is nothing to say."""
    if any(pool.leader for pool in fight.battle.pools):
        return _("the leader's die first")
    return _("faces as letters, - is blank") if fight.battle.faces else ""


def dice_hints(fight: DiceFight) -> list[str]:
    """Return the rules that people forget who type a wrong number of dice."""
    battle, hints = fight.battle, list[str]()
    if any(pool.rerolls for pool in battle.pools):
        hints.append(_("Type a reroll right after the 1 it replaces."))
    if any(pool.explosions for pool in battle.pools):
        hints.append(_("Type each throw of a die that explodes right after the one before."))
    if battle.late == DIE_BY_DIE:
        hints.append(_("With `late:die` the defender rolls a second die only where that is better."))
    elif battle.late:
        hints.append(_("With `late` the defender sees the attacker's dice first and rolls the best number of dice."))
    return hints


def check_plan(battle: Battle, most_work: int) -> None:
    """Raise UserError if a battle for a value is too large to plan."""
    if battle.value is not None:
        check_size(battle, most_work, grid=True)


async def check_length(engine: Engine, battle: Battle) -> None:
    """Raise UserError if a battle takes too many rounds to be rolled, or its chances take too much work."""
    odds = await engine.odds(battle)
    if odds.rounds is None:
        raise UserError(_("That battle would go on forever. Add a limit such as `rounds:100`."))
    if odds.rounds > MOST_AT_ONCE / 2:
        rounds = number(odds.rounds, 0)
        text = _("That battle would last about {rounds} rounds. Add a limit such as `rounds:100`.", rounds=rounds)
        raise UserError(text)
    check_size(battle, engine.most_work, grid=True)


def decisions_about_dice(battles: Callable[[Any], Iterable[Battle]], whole: Any) -> list[str]:
    """Say how many dice the defender rolls, if a line says so."""
    decisions: dict[str, None] = {}
    for battle in battles(whole):
        base, dice = usual_rules(battle.variant), len(battle.defence.dice)
        if battle.late == DIE_BY_DIE and base.late != DIE_BY_DIE:
            decisions[_("whether to roll a second die, each time as is best after the first")] = None
        elif battle.late and not base.late:
            text = _("how many dice, each time the number that is best after the attacker's roll")
            decisions[text] = None
        if dice != len(base.defence.dice) and not battle.faces:
            decisions[_n("{n} die a round", "at most {n} dice a round", dice)] = None
    return [*decisions]


def live_of(fight: Callable[[Any], DiceFight], battles: Callable[[Any], Iterable[Battle]], /, **words: Any) -> Live:
    """Return the live battles of a game that is made of battles with dice.

    Args:
        fight: Returns the battle with dice that is under way in a fight.
        battles: Returns the battles with dice that must not be too large.
        words: All else of `Live`.
    """
    return Live(
        read_faces=partial(_ask, read_faces, fight),
        faces_hint=partial(_ask, faces_hint, fight),
        dice_hints=partial(_ask, dice_hints, fight),
        dice=partial(_ask, shown_dice, fight),
        check_plan=partial(_check_each, check_plan, battles),
        check_size=partial(_check_each, partial(check_size, grid=True), battles),
        check_length=partial(_check_lengths, battles),
        decisions=partial(decisions_about_dice, battles),
        **words,
    )


def _ask(function: Callable[..., Any], fight: Callable[[Any], DiceFight], *arguments: Any) -> Any:
    """Ask a function about the battle with dice in a fight, the last of the arguments."""
    return function(*arguments[:-1], fight(arguments[-1]))


def _check_each(
    check: Callable[[Battle, int], None], battles: Callable[[Any], Iterable[Battle]], most_work: int, whole: Any
) -> None:
    for battle in battles(whole):
        check(battle, most_work)


async def _check_lengths(battles: Callable[[Any], Iterable[Battle]], engine: Engine, whole: Any) -> None:
    for battle in battles(whole):
        await check_length(engine, battle)


def _itself(fight: DiceFight) -> DiceFight:
    return fight


def _alone(battle: Battle) -> tuple[Battle]:
    return (battle,)


LIVE = live_of(_itself, _alone, left=left_text, outcome=outcome, rows=rows, mark=mark, seconds=grid_seconds)
