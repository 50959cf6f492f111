"""Losses that players of a live battle of Axis & Allies choose, in words: in the log, a form and a table of odds."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.editions import Edition, editions
from bot.errors import UserError
from bot.games.axis.writing import units_text
from bot.games.live import Advice, Choosing
from bot.languages import N_, _, _n, _p
from bot.replies import FormField
from bot.words.luck import points
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent
from bot.work.engine import Engine
from solver.axis.choices import WayChance, way_chances
from solver.axis.fight import SIDE_NAMES, AxisFight
from solver.axis.live.losses import MOST_WAYS, Toll
from solver.axis.units import DAMAGED
from solver.errors import BattleError
from solver.game import SideName

ROWS, ROWS_OF_TWO = 10, 5
"""The most ways in the table of one side, alone and beside the other's."""
BUTTONS, BUTTONS_OF_TWO = 3, 2
"""The most ways that have a button, of one side alone and beside the other."""
LONGEST_LOSSES = 200
"""The most letters of losses that somebody types."""
ONE_WAY = N_("There is nothing to choose: these hits can be taken in one way only.")
NO_LOSSES = N_("Type what you lose, with a number before each unit: `{example}`.")


def losses_text(fight: AxisFight, choice: Mapping[str, Any]) -> str:
    """Write the losses of a choice: "2 inf 1 arm"; "1 dbat" is a battleship that takes the first of two hits."""
    edition = editions()[fight.battle.rules.key]
    damage = [f"{count} {_damaged_word(edition, name)}" for name, count in choice.get("damage", {}).items()]
    return " ".join(filter(None, [units_text(choice["lose"], edition), *damage]))


def _damaged_word(edition: Edition, name: str) -> str:
    """Return the word for a ship that has taken the first of two hits."""
    return edition.short.get(f"{DAMAGED}{name}", f"d{edition.short[name]}")


def choice_text(fight: AxisFight, choice: Mapping[str, Any]) -> str:
    """Say what a side has chosen to lose: "attacker loses 2 inf 1 arm"."""
    text = N_("attacker loses {losses}") if choice["side"] == "attacker" else N_("defender loses {losses}")
    return _(text, losses=losses_text(fight, choice))


# What people type or press -------------------------------------------------------------------------------


def _side(text: str) -> SideName:
    """Return the side that begins a text: "attacker 2 inf 1 arm"."""
    name = text.split(" ")[0]
    for side in SIDE_NAMES:
        if side == name:
            return side
    raise UserError(_(LATE))


def _field(fight: AxisFight, text: str) -> FormField:
    """Return the field in which the losses of a side are typed; it holds those of the order of loss."""
    toll = _toll(fight, _side(text))
    hits = sum(map(sum, toll.order))
    label = _n("What you lose: {n} hit", "What you lose: {n} hits", hits)
    return FormField("losses", label, value=_order_text(fight, toll), most=LONGEST_LOSSES)


def _read(fight: AxisFight, text: str) -> dict[str, Any]:
    """Return the choice of a text; UserError if it cannot be read, or the hits cannot be taken like that."""
    side, typed = _side(text), text.partition(" ")[2].strip()
    toll, edition = _toll(fight, side), editions()[fight.battle.rules.key]
    lose: dict[str, int] = {}
    damage: dict[str, int] = {}
    found = re.findall(r"(\d{1,4})\s*([^\W\d]+)", typed.casefold())
    if not found or re.sub(r"\d{1,4}\s*[^\W\d]+|[\s,;.+]|\band\b", "", typed.casefold()):
        raise UserError(_(NO_LOSSES, example=_order_text(fight, toll)))
    two_hits = {kind.name for kind in toll.kinds if kind.firsts}
    damaged = {_damaged_word(edition, name): name for name in two_hits}
    for count, word in found:
        unit = edition.words.get(word, "")
        whole = damaged.get(word) or damaged.get(edition.short.get(unit, "")) or ""
        name = whole or unit.removeprefix(DAMAGED)
        if not name:
            raise UserError(_("I don't know a unit `{word}`.", word=word))
        into = damage if whole else lose
        into[name] = into.get(name, 0) + int(count)
    lose, damage = ({name: count for name, count in some.items() if count} for some in (lose, damage))
    try:
        way = toll.read(lose, damage)
    except BattleError:
        hits, example = sum(map(sum, toll.order)), _order_text(fight, toll)
        text = _n(
            "By the rules {n} hit can't be taken like that. In casualty order you lose `{losses}`.",
            "By the rules {n} hits can't be taken like that. In casualty order you lose `{losses}`.",
            hits,
            losses=example,
        )
        raise UserError(text) from None
    return {"side": side, **toll.write(way)}


def _toll(fight: AxisFight, side: SideName) -> Toll:
    """Return the hits on a side, which it can take in more than one way; UserError if not."""
    if fight.ended or not fight.volley:
        raise UserError(_(LATE))
    if side not in fight.choosers:
        raise UserError(_(ONE_WAY))
    return fight.volley.toll(side)


def _order_text(fight: AxisFight, toll: Toll) -> str:
    """Write the losses of the order of loss."""
    return losses_text(fight, toll.write(toll.order))


# The odds of each way ------------------------------------------------------------------------------------


async def _advise(engine: Engine, fight: AxisFight, sides: Sequence[SideName]) -> Advice:
    """Return the odds of the ways in which these sides can take their hits."""
    choosers = [side for side in fight.choosers if side in sides]
    if not choosers:
        raise UserError(_(CHOOSING.refusals[fight.choosers[0]] if fight.choosers else ONE_WAY))
    alone = len(choosers) == 1
    table: list[str] = []
    options: list[tuple[str, str]] = []
    remarks: list[str] = []
    for side in choosers:
        try:
            ways: list[WayChance] = await engine.compute_or_explain(way_chances, fight, side, engine.most_work)
        except UserError as error:
            remarks.append(error.text)
            continue
        table += [""] if table else []
        table += _table(fight, side, ways, ROWS if alone else ROWS_OF_TWO)
        others = [way.choice for way in ways if not way.now]
        options += [_option(fight, choice, alone) for choice in others[: BUTTONS if alone else BUTTONS_OF_TWO]]
        if len(ways) < len(_toll(fight, side).ways) or len(ways) >= MOST_WAYS:
            remarks.append(_("Only {n} ways near the casualty order were compared", n=len(ways)))
    forms = [(_("Other losses") if alone else _other_losses(side), side) for side in choosers]
    text = f"**{_('What should I lose?')}** {_('These are the odds if both sides then follow their casualty orders.')}"
    return Advice(text, tuple(table), tuple(options), tuple(forms), tuple(remarks))


def _table(fight: AxisFight, side: SideName, ways: Sequence[WayChance], most: int) -> tuple[str, ...]:
    """Return the table of the ways of a side, the best first; that of the order is always among them."""
    usual = next(way.chance for way in ways if way.by_order)
    shown = list(ways[:most])
    if not any(way.by_order for way in shown):
        shown[-1] = next(way for way in ways if way.by_order)
    heading = _("attacker loses") if side == "attacker" else _("defender loses")
    chance = _p("chance", "wins") if side == "attacker" else _p("chance", "holds")
    cells: list[list[str]] = [[heading, chance, _p("difference", "change")]]
    for way in shown:
        own, change = (way.chance, way.chance - usual) if side == "attacker" else (1 - way.chance, usual - way.chance)
        difference = _p("casualties", "order") if way.by_order else points(change)
        cells.append([losses_text(fight, way.choice), exact_percent(own), difference])
    return narrow(cells, "<>>")


def _option(fight: AxisFight, choice: Mapping[str, Any], alone: bool) -> tuple[str, str]:
    """Return the label and the text of a button for a choice."""
    losses = losses_text(fight, choice)
    label = _("Lose {losses}", losses=losses) if alone else choice_text(fight, choice)
    return label[:1].upper() + label[1:], f"{choice['side']} {losses}"


def _other_losses(side: SideName) -> str:
    """Return the label of the button for other losses of a side."""
    return _("Attacker: other losses") if side == "attacker" else _("Defender: other losses")


def _question(fight: AxisFight) -> str:
    """Say that other losses would lead to another end, if the battle waits for that."""
    if not fight.asked:
        return ""
    if fight.asked[0] == "attacker":
        return _("The attacker can still choose other losses")
    return _("The defender can still choose other losses")


LATE = N_("The battle has gone on: these losses can't be chosen any more.")
CHOOSING = Choosing(
    question=_question,
    title=N_("Other losses"),
    field=_field,
    read=_read,
    side=_side,
    first=N_("First keep these losses, or choose others."),
    refusals={
        "attacker": N_("Only the attacker chooses what the attacker loses."),
        "defender": N_("Only the defender chooses what the defender loses."),
    },
    luck=(N_("choices: as good as the order"), N_("choices: {points} against the order")),
    late=LATE,
    keep=N_("Keep these losses"),
    advice=(N_("What should I lose?"), _advise),
)
