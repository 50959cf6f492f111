"""Losses that players of a live battle of Axis & Allies choose, in words: in the log, a form and a table of odds."""

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from bot.editions import Edition, editions
from bot.errors import UserError
from bot.games.axis.money import in_money, worth_of
from bot.games.axis.writing import units_text
from bot.games.live import Advice, Choosing
from bot.languages import N_, _, _n, _p
from bot.phrases.vocabulary import vocabularies
from bot.replies import FormField
from bot.words.luck import points
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, signed_tenths
from bot.work.engine import Engine
from solver.axis.live.choices import AnyFight, WayChance, player_of, wave_of, way_chances
from solver.axis.live.losses import Toll
from solver.axis.units import DAMAGED, Role
from solver.axis.waves.fight import WavesFight
from solver.errors import BattleError
from solver.game import SIDES, SideName

ROWS = {1: 10, 2: 5}
"""The most ways in the table of a side, by how many sides choose."""
BUTTONS = {1: 3, 2: 2}
"""The most ways of a side that have a button, by how many sides choose."""
UNITS = r"(\d{1,4})\s*([^\W\d]+)"
"""A number and the word for a unit."""
DECIDED = 0.001
"""A side with a smaller chance than this has as good as lost, and one with a chance that near to 1 as good as won."""
LONGEST_LOSSES = 200
"""The most letters of losses that somebody types."""
WHOSE_ODDS = {
    ("attacker", True): N_(
        "The attacker's losses: the odds if the attacker goes on choosing the best ones, "
        "and the defender follows the casualty order."
    ),
    ("defender", True): N_(
        "The defender's losses: the odds if the defender goes on choosing the best ones, "
        "and the attacker follows the casualty order."
    ),
    ("attacker", False): N_(
        "The attacker's losses: the odds if nobody chooses again, and both sides follow their casualty orders."
    ),
    ("defender", False): N_(
        "The defender's losses: the odds if nobody chooses again, and both sides follow their casualty orders."
    ),
}
"""The sentence above the table of a side, by whether the odds count on that side choosing again."""
SWINGS = N_("TUV: the swing that the side can expect from this roll on.")
BEST = N_("A `*` marks the best.")
RETREAT = N_("By TUV a retreat is better: {money} now, best left of fighting on: {best}.")
RETREAT_AFTER = N_("By TUV it is better to lose {losses} and retreat: {money}, best left of fighting on: {best}.")
ONE_WAY = N_("There is nothing to choose: these hits can be taken in one way only.")
NO_LOSSES = N_("Type what you lose, with a number before each unit: `{example}`.")


def losses_text(fight: AnyFight, choice: Mapping[str, Any]) -> str:
    """Write the losses of a choice: "2 inf 1 arm"; "1 dbat" is a battleship that takes the first of two hits."""
    edition = editions()[wave_of(fight).battle.rules.key]
    damage = [f"{count} {_damaged_word(edition, name)}" for name, count in choice.get("damage", {}).items()]
    return " ".join(filter(None, [units_text(choice["lose"], edition), *damage]))


def _damaged_word(edition: Edition, name: str) -> str:
    """Return the word for a ship that has taken the first of two hits."""
    return edition.short.get(f"{DAMAGED}{name}", f"d{edition.short[name]}")


def choice_text(fight: AnyFight, choice: Mapping[str, Any]) -> str:
    """Say what a side has chosen to lose: "attacker loses 2 inf 1 arm"."""
    text = N_("attacker loses {losses}") if choice["side"] == "attacker" else N_("defender loses {losses}")
    return _(text, losses=losses_text(fight, choice))


def _chooser(fight: AnyFight, text: str) -> SideName:
    """Return the player whose losses a text says."""
    return player_of(fight, _side(text))


def _side(text: str) -> SideName:
    """Return the side that begins a text: "attacker 2 inf 1 arm"."""
    if side := next((side for side in SIDES if side == text.split(" ")[0]), None):
        return side
    raise UserError(_(LATE))


def _field(fight: AnyFight, text: str) -> FormField:
    """Return the field in which the losses of a side are typed; it holds those of the order of loss."""
    toll = _toll(fight, _side(text))
    hits = sum(map(sum, toll.order))
    label = _n("What you lose: {n} hit", "What you lose: {n} hits", hits)
    return FormField("losses", label, value=_order_text(fight, toll), most=LONGEST_LOSSES)


def _read(fight: AnyFight, text: str) -> dict[str, Any]:
    """Return the choice of a text; UserError if it cannot be read, or the hits cannot be taken like that."""
    side, typed = _side(text), text.partition(" ")[2].casefold()
    toll, edition = _toll(fight, side), editions()[wave_of(fight).battle.rules.key]
    if not _names_units(typed):
        raise UserError(_(NO_LOSSES, example=_order_text(fight, toll)))
    lose, damage = _read_units(typed, toll, edition)
    # A ship that takes two hits may be typed once where both fall on it.
    sunk = {kind.name: lose.get(kind.name, 0) + damage.get(kind.name, 0) for kind in toll.kinds if kind.firsts}
    both = {kind.name: min(sunk[kind.name], kind.firsts) for kind in toll.kinds if sunk.get(kind.name)}
    for firsts in (damage, both):
        try:
            return {"side": side, **toll.write(toll.read(lose, firsts))}
        except BattleError:
            pass
    text = _n(
        "By the rules {n} hit can't be taken like that. In casualty order you lose `{losses}`.",
        "By the rules {n} hits can't be taken like that. In casualty order you lose `{losses}`.",
        sum(map(sum, toll.order)),
        losses=_order_text(fight, toll),
    )
    raise UserError(text)


def _read_units(typed: str, toll: Toll, edition: Edition) -> tuple[dict[str, int], dict[str, int]]:
    """Return the units lost and the first hits that a text names; UserError if it has an unknown word."""
    lose: dict[str, int] = {}
    damage: dict[str, int] = {}
    damaged = {_damaged_word(edition, kind.name): kind.name for kind in toll.kinds if kind.firsts}
    for count, word in re.findall(UNITS, typed):
        unit = edition.words.get(word, "")
        whole = damaged.get(word) or damaged.get(edition.short.get(unit, "")) or ""
        name = whole or unit.removeprefix(DAMAGED)
        if not name:
            raise UserError(_("I don't know a unit `{word}`.", word=word))
        into = damage if whole else lose
        into[name] = into.get(name, 0) + int(count)
    lose, damage = ({name: count for name, count in some.items() if count} for some in (lose, damage))
    return lose, damage


def _names_units(typed: str) -> bool:
    """Return whether a text has numbers with units, and nothing else but words for "and"."""
    others = re.findall(r"\w+|[^\w\s,;.]", re.sub(UNITS, " ", typed))
    return bool(re.search(UNITS, typed)) and all(map(_means_and, others))


def _means_and(word: str) -> bool:
    """Return whether a word or sign means "and" in a language that people use here."""
    patterns = (pattern for words in vocabularies().values() for pattern in words.patterns.get(word, ()))
    return any((each.table, each.value, len(each.elements)) == ("roles", "and", 1) for each in patterns)


def _toll(fight: AnyFight, side: SideName) -> Toll:
    """Return the hits on a side, which it can take in more than one way; UserError if not."""
    wave = wave_of(fight)
    if wave.ended or not wave.volley:
        raise UserError(_(LATE))
    if side not in wave.choosers:
        raise UserError(_(ONE_WAY))
    return wave.volley.toll(side)


def _order_text(fight: AnyFight, toll: Toll) -> str:
    """Write the losses of the order of loss."""
    return losses_text(fight, toll.write(toll.order))


class _Way(NamedTuple):
    """A way to take hits, as its side sees it.

    Attributes:
        choice: The way as a choice.
        chance: The chance.
        gain: The difference to the chance of the order's losses.
        swing: The TUV swing to expect, as it is shown; None if it is not known.
        saved: How much less the lost units are worth than those that the order loses.
        retreat: The TUV swing of a retreat after it; None if nobody can retreat.
        by_order: Whether these are the order's losses.
        now: Whether these are the losses now.
    """

    choice: Mapping[str, Any]
    chance: float
    gain: float
    swing: float | None
    saved: float
    retreat: float | None
    by_order: bool
    now: bool

    @property
    def rounded_chance(self) -> float:
        """The chance as far as it counts: to the tenth of a percent, and 0 or 1 if as good as decided."""
        return 0.0 if self.chance < DECIDED else 1.0 if self.chance > 1 - DECIDED else round(self.chance, 3)

    @property
    def worth(self) -> float:
        """The TUV swing, or the value saved if that is not known: it ranks ways with the same chance."""
        return self.saved if self.swing is None else self.swing

    @property
    def rank(self) -> tuple[float, float]:
        """The better, the larger: the chance counts first, then the TUV."""
        return self.rounded_chance, self.worth


def _weigh(fight: AnyFight, side: SideName, ways: Sequence[WayChance]) -> list[_Way]:
    """Return the ways of a side, the best first: of those with the same chance the one with the best TUV.

    Ways that change no chance and bring no more TUV than the order are left out.
    """
    role: Role = "attack" if side == "attacker" else "defence"
    usual, battle = next(way for way in ways if way.by_order), wave_of(fight).battle
    sign, cost = 1 if player_of(fight, side) == "attacker" else -1, worth_of(battle, role, usual.choice["lose"])
    seen = [
        _Way(
            way.choice,
            way.chance if sign == 1 else 1 - way.chance,
            sign * (way.chance - usual.chance),
            None if way.swing is None else round(sign * way.swing, 1),
            cost - worth_of(battle, role, way.choice["lose"]),
            way.retreat,
            way.by_order,
            way.now,
        )
        for way in ways
    ]
    order = next(way for way in seen if way.by_order)
    useful = [
        way
        for way in seen
        if way.by_order or way.now or way.rounded_chance != order.rounded_chance or way.worth > order.worth
    ]
    return sorted(useful, key=lambda way: way.rank, reverse=True)


async def _advise(engine: Engine, fight: AnyFight, sides: Sequence[SideName]) -> Advice:
    """Return the odds of the ways in which these sides can take their hits."""
    every = wave_of(fight).choosers
    choosers = [side for side in every if player_of(fight, side) in sides]
    if not choosers:
        raise UserError(_(CHOOSING.refusal if every else ONE_WAY))
    rows, buttons, alone = ROWS[len(choosers)], BUTTONS[len(choosers)], len(choosers) == 1
    texts = [f"**{_('What should I lose?')}**"]
    table: list[str] = []
    options: list[tuple[str, str]] = []
    remarks: list[str] = []
    swings, retreat = "", ""
    for side in choosers:
        try:
            compared = await engine.compute_within(way_chances, fight, side)
        except UserError as error:
            remarks.append(error.text)
            continue
        texts.append(_(WHOSE_ODDS[side, compared.chooses]))
        ways = _weigh(fight, side, compared.ways)
        table += "", *_table(fight, side, ways, rows)
        if _knows_swings(ways):
            swings = _(SWINGS)
            retreat = retreat or _better_retreat(fight, side, ways)
        options += [_option(fight, way.choice, alone) for way in _offer(ways, buttons)]
        if not compared.complete:
            remarks.append(_("Only {n} ways near the casualty order were compared", n=len(compared.ways)))
    stars = _(BEST) if any("*" in row for row in table) else ""
    text = "\n".join(filter(None, [" ".join(filter(None, [*texts, swings, stars])), retreat]))
    forms = [(_("Other losses") if alone else _other_losses(side), side) for side in choosers]
    return Advice(text, tuple(table[1:]), tuple(options), tuple(forms), tuple(remarks))


def _knows_swings(ways: Sequence[_Way]) -> bool:
    """Return whether the TUV swings after these ways are known."""
    return all(way.swing is not None for way in ways)


def _offer(ways: Sequence[_Way], limit: int) -> list[_Way]:
    """Return the ways that get a button: those better than the losses now, and the order's.

    A way is better if its chance is, or with the same chance its TUV. It gets no button if another way has a better
    chance and no worse TUV. The way with the best TUV of all gets a button even if its chance is worse.
    """
    now, richest = next(way for way in ways if way.now), max(ways, key=lambda way: way.worth)
    better = [way for way in ways if way.rank > now.rank]
    better = [way for place, way in enumerate(better) if all(way.worth > other.worth for other in better[:place])]
    is_better = _knows_swings(ways) and richest.worth > now.worth
    must = [way for way in ways if (is_better and way == richest) or (way.by_order and not way.now)]
    return _pick(ways, must, better, limit)


def _pick(ways: Sequence[_Way], must: Sequence[_Way], others: Sequence[_Way], limit: int) -> list[_Way]:
    """Return ways in their order: those of `must`, and the first others up to the limit."""
    first = [way for way in others if way not in must][: max(limit - len(must), 0)]
    return [way for way in ways if way in first or way in must]


def _better_retreat(fight: AnyFight, side: SideName, ways: Sequence[_Way]) -> str:
    """Say that a retreat brings the attacker a better TUV swing than each way of fighting on; "" if not."""
    retreats = [way for way in ways if way.retreat is not None]
    if side != "attacker" or not retreats or wave_of(fight).pending:
        return ""
    best = max(retreats, key=lambda way: (round(way.retreat or 0.0, 1), way.now))
    retreat, on = round(best.retreat or 0.0, 1), max(way.worth for way in ways)
    if retreat <= on:
        return ""
    battle = wave_of(fight).battle
    money, other = (in_money(battle, signed_tenths(amount)) for amount in (retreat, on))
    if best.now:
        return _(RETREAT, money=money, best=other)
    return _(RETREAT_AFTER, losses=losses_text(fight, best.choice), money=money, best=other)


def _table(fight: AnyFight, side: SideName, ways: Sequence[_Way], limit: int) -> tuple[str, ...]:
    """Return the table of the ways of a side; those of the order and with the best TUV are always among them."""
    richest = max(ways, key=lambda way: (way.worth, way.rounded_chance))
    must = [way for way in ways if way.by_order or way == richest]
    heading = _("attacker loses") if side == "attacker" else _("defender loses")
    cells: list[list[str]] = [[heading, _chance_heading(fight, side), _p("difference", "change"), _p("column", "TUV")]]
    chances, worths = {way.rounded_chance for way in ways}, {way.worth for way in ways}
    for way in _pick(ways, must, ways, limit):
        change = _p("casualties", "order") if way.by_order else points(way.gain)
        chance = _with_star(exact_percent(way.chance), way.rounded_chance, chances)
        swing = _with_star(signed_tenths(way.worth), way.worth, worths)
        cells.append([losses_text(fight, way.choice), chance, change, swing])
    columns = 4 if _knows_swings(ways) else 3
    return narrow([row[:columns] for row in cells], "<>>>"[:columns])


def _with_star(text: str, value: float, values: Set[float]) -> str:
    """Return a text with a star if its value is the best of different ones."""
    return f"*{text}" if value == max(values) > min(values) else text


def _chance_heading(fight: AnyFight, side: SideName) -> str:
    """Name the chance of a side in one or two words."""
    if isinstance(fight, WavesFight):
        return _p("chance", "in the end")
    if side == "defender":
        return _p("chance", "holds")
    return _("takes it") if fight.battle.theatre == "land" else _p("chance", "wins")


def _option(fight: AnyFight, choice: Mapping[str, Any], alone: bool) -> tuple[str, str]:
    """Return the label and the text of a button for a choice."""
    losses = losses_text(fight, choice)
    label = _("Lose {losses}", losses=losses) if alone else choice_text(fight, choice)
    return label[:1].upper() + label[1:], f"{choice['side']} {losses}"


def _other_losses(side: SideName) -> str:
    """Return the label of the button for other losses of a side."""
    return _("Attacker: other losses") if side == "attacker" else _("Defender: other losses")


def _question(fight: AnyFight) -> str:
    """Say that other losses would lead to another end or another wave, if the battle waits for that."""
    asked = wave_of(fight).asked
    if not asked:
        return ""
    if isinstance(fight, WavesFight):
        text = N_("Wave {place}: the attacker can still choose other losses")
        if asked[0] == "defender":
            text = N_("Wave {place}: the defender can still choose other losses")
        return _(text, place=fight.wave + 1)
    if asked[0] == "attacker":
        return _("The attacker can still choose other losses")
    return _("The defender can still choose other losses")


LATE = N_("The battle has gone on: these losses can't be chosen any more.")
CHOOSING = Choosing(
    late=LATE,
    question=_question,
    title=N_("Other losses"),
    field=_field,
    read=_read,
    side=_chooser,
    first=N_("First keep these losses, or choose others."),
    refusal=N_("Only the player whose units are hit chooses what to lose."),
    luck=(
        N_("choices: as good as the order"),
        N_("choices: {points} points for the attacker, compared with the order"),
    ),
    keep=N_("Keep these losses"),
    keep_always=N_("Keep the order to the end"),
    waiting=N_("waiting for the defender's losses"),
    advice=(N_("What should I lose?"), _advise),
)
