"""A live conquest in words: where it stands, its battles and choices, and the checks before it begins."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from bot.errors import UserError
from bot.games.conquest.notation.writing import map_of
from bot.games.conquest.throws import advise, name_of_place, read_throw, throw_options, throw_text
from bot.games.conquest.words import continent_name, takes_text
from bot.games.dice import live as dice_live
from bot.games.live import LATE, Choosing, LiveStage, text_without_dice
from bot.languages import N_, _, _n, _p
from bot.replies import FormField
from bot.words.narrow import fold, unbroken
from bot.words.numbers import exact_percent
from solver.conquest.conquest import Conquest
from solver.conquest.game import AnyFight
from solver.conquest.live_turn import LiveTurn
from solver.conquest.odds import conquest_seconds
from solver.conquest.phase import MapThrow
from solver.dice.battle import Battle
from solver.dice.fight import DiceFight, Round
from solver.game import SideName

Stage = LiveStage[AnyFight, Round]
LONGEST_NUMBER = 6
"""The most digits of a number that somebody types."""
MOST_THROWS = 5
"""The most attacks of which one may be first."""


def left_text(fight: AnyFight) -> str:
    """Say where the attack stands: "Next: Siam → New Guinea, 9 against 2"."""
    clash = fight.clash
    if clash is None or fight.decision == "attack":
        return ", ".join(f"{armies} {name_of_place(fight, place)}" for place, armies in fight.armies)
    place, target, battle = clash
    if battle.ended == "won":
        return _("{territory} falls with {left} left", territory=name_of_place(fight, target), left=battle.attackers)
    attackers, defenders = battle.attackers, battle.defenders
    if isinstance(fight, LiveTurn):
        attack = throw_text(fight, MapThrow(place, target))
        text = N_("Next: {attack}, {attackers} against {defenders}")
        return _(text, attack=attack, attackers=attackers, defenders=defenders)
    return _(
        "{attackers} in {place} against {defenders} in {territory}",
        attackers=attackers,
        place=name_of_place(fight, place),
        defenders=defenders,
        territory=name_of_place(fight, target),
    )


def outcome(fight: AnyFight, _throws: int) -> str:
    """Say how the turn ended."""
    whole, taken = fight.board.targets, len(fight.taken)
    if fight.ended == "won":
        continent = continent_name(fight.conquest, map_of(fight.conquest))
        if continent or whole == 1:
            return _("Takes {territory}", territory=continent or name_of_place(fight, fight.taken[0]))
        if whole == 2:
            return _("Takes both territories")
        return _n("Takes all {n} territories", "Takes all {n} territories", whole)
    some = _n("{taken} of {n} territories taken", "{taken} of {n} territories taken", whole, taken=taken)
    if fight.ended == "retreat":
        return _("Attack called off, {some}", some=some)
    return f"{_failure(fight)}, {some}" if fight.conquest.aim == "all" else some


def _failure(fight: AnyFight) -> str:
    """Say why not all can be taken any more."""
    clash = fight.clash
    if not clash:
        return _("There is no way to take all")
    _place, target, battle = clash
    if battle.ended == "lost":
        return _("{territory} holds with {n} left", territory=name_of_place(fight, target), n=battle.defenders)
    if battle.ended == "nobody":
        return _("Both sides are wiped out in {territory}", territory=name_of_place(fight, target))
    if isinstance(fight, LiveTurn):
        return _("There is no way to take all")
    empty = next(front.place for front in fight.fronts if not front.armies)
    return _("Nobody is left in {place} to go on", place=name_of_place(fight, empty))


def ending(conquest: Conquest, ended: str | None) -> str | None:
    """Say in a list how a conquest ended; None for the usual words."""
    if ended == "won" and len(conquest.targets) == 1:
        return _("attacker took it")
    return {"won": _("all taken"), "lost": _("not taken"), "stopped": _("some taken")}.get(ended or "")


def win_text(fight: AnyFight, chance: str, begins: bool) -> str:
    """Say how likely all is taken, or what share is taken on average."""
    if fight.conquest.aim == "all":
        if begins:
            return takes_text(fight.conquest, chance)
        several = len(fight.conquest.targets) > 1
        return _("takes all: {chance}", chance=chance) if several else _("attacker takes it {chance}", chance=chance)
    text = N_("Takes {chance} on average") if begins else N_("takes {chance} on average")
    return _(text, chance=chance)


def is_share(conquest: Conquest) -> bool:
    """Tell whether the aim is an average share rather than to take all."""
    return conquest.aim != "all"


def hopes(conquest: Conquest) -> tuple[str, str]:
    """Say what the defender and the attacker hope for."""
    if is_share(conquest):
        return _p("short", "held on average"), _p("short", "taken on average")
    if len(conquest.targets) == 1:
        return _p("short", "defender holds"), _p("short", "attacker takes it")
    return _p("short", "not all taken"), _p("short", "takes all")


def rows(stages: Sequence[Stage]) -> tuple[str, ...]:
    """Return the table: each attack with the chance before it, its rounds, and how many move in."""
    cells, number = [dice_live.headings()], 0
    if is_share(stages[0].fight.conquest):
        cells[0][-1] = _("taken")
    for before, stage in pairwise(stages):
        if stage.throw and before.fight.clash:
            throw = stage.throw
            left = _p("short", "{attackers} v {defenders}", attackers=throw.attackers, defenders=throw.defenders)
            cells.append(dice_live.round_cells(number + 1, before.fight.clash.fight.battle, stage, left))
            number += not stage.taken_back
    heads, *rounds = dice_live.lines_of_rows(cells)
    lines, thrown = list(heads) if rounds else [], iter(rounds)
    for before, stage in pairwise(stages):
        lines += next(thrown) if stage.throw else _choice_rows(before, stage)
    return tuple(lines)


def _choice_rows(before: Stage, stage: Stage) -> list[str]:
    """Return the lines of a choice, or of a retreat."""
    fight, choice = before.fight, stage.choice
    if choice is None:
        return [text_without_dice(stage)]
    if "shares" in choice:
        lines: list[str] = []
        for start, targets in choice["shares"].items():
            names = ", ".join(_of_name(fight, name) for name in targets) or "–"
            lines += fold(f"{_of_name(fight, start)}: {names}")
        return lines
    if "stop" in choice:
        place = "" if isinstance(fight, LiveTurn) else name_of_place(fight, fight.fronts[0].place, short=True)
        return fold(_("{place} stops", place=place) if place else _("the attack stops"))
    if "attack" in choice:
        return _attack_rows(before, stage)
    assert fight.clash, "a territory has just been captured"
    _place, target, battle = fight.clash
    territory = name_of_place(fight, target, short=True)
    text = _(
        "{moving} of {left} move into {territory}", moving=choice["move"], left=battle.attackers, territory=territory
    )
    return fold(f"→ {text}", "", "  ")


def _attack_rows(before: Stage, stage: Stage) -> list[str]:
    """Return the lines of an attack that is chosen: the armies, and the chance with it."""
    fight, attack = before.fight, stage.choice["attack"]
    if isinstance(fight, LiveTurn):
        (place, target), chance = (fight.board.names.index(attack[side]) for side in ("from", "to")), stage.chance
        armies, garrison = fight.state.free[place], fight.state.garrisons[target]
    else:
        target, chance = fight.board.names.index(attack), before.chance
        place, armies = fight.armies[0]
        garrison = fight.conquest.targets[target].garrison
    shown = "" if chance is None else f"  {unbroken(exact_percent(chance))}"
    attacker, territory = (name_of_place(fight, number, short=True) for number in (place, target))
    return fold(f"{attacker} {armies} > {territory} {garrison}{shown}")


def _of_name(fight: AnyFight, key: str) -> str:
    return map_of(fight.conquest).territories[key].name


def question(fight: AnyFight) -> str:
    """Ask how many armies move into the territory just captured, if that is to be decided."""
    return _("{territory_falls}: how many move in?", territory_falls=left_text(fight)) if fight.numbers else ""


def options(fight: AnyFight, choice: Any) -> list[tuple[str, str]]:
    """Return labels with the numbers of armies that may move in: the plan's, all and the fewest; or other attacks."""
    numbers = fight.numbers
    if numbers is None:
        return throw_options(fight, fight.throws[:MOST_THROWS], fight.attack) if isinstance(fight, LiveTurn) else []
    plan = choice["move"] if choice else None
    labels: dict[int, str] = {}
    if plan is not None:
        whole = N_("Move both in (plan)") if plan == 2 else N_("Move all {n} in (plan)")
        labels[plan] = _(whole if plan == numbers[-1] else N_("Move {n} in (plan)"), n=plan)
    labels.setdefault(numbers[-1], _("Both") if numbers[-1] == 2 else _("All {n}", n=numbers[-1]))
    labels.setdefault(numbers[0], _("Fewest: {n}", n=numbers[0]))
    return [(label, str(number)) for number, label in labels.items()]


def has_others(fight: AnyFight, shown: int) -> bool:
    """Tell whether there are more numbers, or attacks, than are shown."""
    throws = fight.throws if isinstance(fight, LiveTurn) else ()
    return shown < len(fight.numbers or throws)


def number_field(fight: AnyFight, _text: str) -> FormField:
    """Return the field for a number."""
    numbers = _numbers(fight)
    label = _("How many move in, {least} to {most}", least=numbers[0], most=numbers[-1])
    return FormField("number", label, most=LONGEST_NUMBER)


def read_choice(fight: AnyFight, text: str) -> int | MapThrow:
    """Return the number or the throw of a button, or the number of a form; UserError if that cannot be chosen."""
    if ">" in text and isinstance(fight, LiveTurn):
        return read_throw(fight, text)
    numbers, typed = _numbers(fight), text.strip()
    number = int(typed) if typed.isdecimal() and len(typed) <= LONGEST_NUMBER else -1
    if number not in numbers:
        raise UserError(_("Type a number from {least} to {most}.", least=numbers[0], most=numbers[-1]))
    return number


def _numbers(fight: AnyFight) -> range:
    """Return the numbers among which people choose; UserError if they choose nothing now."""
    if fight.numbers is None:
        raise UserError(_(LATE))
    return fight.numbers


def chooser(_fight: AnyFight, _text: str) -> SideName:
    """Return the side that chooses: always the attacker."""
    return "attacker"


def _battle(fight: AnyFight) -> DiceFight:
    """Return the battle whose dice are next."""
    return fight.clash.fight if fight.clash else DiceFight(fight.conquest.rules, 0, 0)


def _battles(conquest: Conquest) -> list[Battle]:
    """Return the largest battle for each garrison."""
    largest, rules = max(armies for _name, armies in conquest.starts), conquest.rules
    garrisons = {target.garrison for target in conquest.targets}
    return [replace(rules, attackers=largest, defenders=size) for size in sorted(garrisons) if size and largest]


LIVE = dice_live.live_of(
    _battle,
    _battles,
    left=left_text,
    outcome=outcome,
    rows=rows,
    win_text=win_text,
    is_share=is_share,
    choosing=Choosing(
        question=question,
        title=N_("Other number"),
        field=number_field,
        read=read_choice,
        side=chooser,
        first=N_("First choose how many armies move in."),
        refusal=N_("Only the attacker chooses attacks and how many armies move in."),
        luck=(N_("choices: best play"), N_("choices: {points} points against best play")),
        late=LATE,
        options=options,
        has_others=has_others,
        advice=(N_("Other attack"), advise),
    ),
    hopes=hopes,
    ending=ending,
    seconds=conquest_seconds,
)
