"""/dice for Axis & Allies: how often one army, or each of two, makes how many hits in one throw."""

from collections.abc import Sequence

import numpy as np

from bot.charts import LOSSES, RESULT, DrawnResult
from bot.editions import editions
from bot.games.axis.dice.reading import write_thrown
from bot.games.axis.writing import sorted_units_text, words_without_dice, write_armies
from bot.games.base import Reading
from bot.languages import _, _n, number
from bot.notation.asked_ends import Span
from bot.notation.reading import idle_options_remarks
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.asked_ends import count_text
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, unsure_percent
from solver.axis.throw import find_throw, has_more_fire
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.ends import EndRange
from solver.luck import central_80

MOST_ROWS = 24
"""The most rows of a table; the likeliest numbers of hits have one each."""


async def answer_throw(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the law of the hits of a lone army, or of both sides."""
    laws = await services.engine.compute_or_explain(find_throw, waves)
    battle = waves.battles[0]
    edition = editions()[battle.rules.key]
    units = [sorted_units_text(army.units, edition) for army in (battle.attacker, battle.defender)]
    sides = [ROLES.index(reading.details)] if reading.details in ROLES else [0, 1]
    shown = [laws[side] for side in sides]
    head = " · ".join(_mean_text(units[side], laws[side]) for side in sides)
    said = [_chance_of(span, laws[sides[0]]) for span in reading.asked.get("hits", ())]
    who = _("{attackers} against {defenders}", attackers=units[0], defenders=units[1])
    title = who if len(sides) > 1 else units[sides[0]]
    role = [_("as attackers"), _("as defenders")][sides[0]] if len(sides) == 1 else ""
    guns = any(battle.rules.table[name].antiaircraft for name, _count in battle.defender.units) and 1 in sides
    early = [_("Every unit fires once here; AA guns, first strikes and other fire before the round don't count.")]
    text = " · ".join(filter(None, [f"**{head}**", role, _(edition.name)]))
    drawn = await _draw(title, shown, reading.battle, services)
    alternative = f"{without_marks(text)}."
    return Reply(
        text,
        facts=tuple(said),
        remarks=(
            *reading.remarks,
            *idle_options_remarks(words_without_dice(battle)),
            *(early if guns or (has_more_fire(battle) and len(sides) > 1) else ()),
        ),
        table=_rows(shown),
        note=_("exact"),
        line=write_armies(waves) if len(sides) > 1 else "",
        picture=Picture(drawn, picture_name(f"dice {write_thrown(reading, '')}"), alternative, tuple(said)),
        buttons=(Button(_("Odds"), "battle"),) if len(sides) > 1 else (),
        private=request.private,
    )


def _mean_text(units: str, law: Chances) -> str:
    """Say how many hits some units make on average."""
    mean = float(law @ np.arange(len(law)))
    return _("{units}: {mean} hits on average", units=units, mean=number(mean, 2))


def _chance_of(span: Span, law: Chances) -> str:
    """Say how likely a number of hits is that the line asks about."""
    asked = EndRange("attacker", least=span.least, most=span.most)
    fits = asked.holds(np.arange(len(law)))
    chance = _percent(float(law[fits].sum()), float(law[~fits].sum()))
    return f"**{_('{count} hits: {chance}', count=count_text(asked, str).capitalize(), chance=chance)}**"


def _percent(chance: float, rest: float) -> str:
    """Write a chance; a law is exact, so 0 and 1 are the whole truth."""
    return exact_percent(round(chance)) if 0 in (chance, rest) else unsure_percent(chance)


def _rows(laws: Sequence[Chances]) -> tuple[str, ...]:
    """Return a row for each likely number of hits: of one side with the chance of so many or more."""
    size = max(map(len, laws))
    both = np.array([np.pad(law, (0, size - len(law))) for law in laws])
    likely = np.sort(np.argsort(-both.max(axis=0), kind="stable")[:MOST_ROWS])
    likely = likely[both[:, likely].max(axis=0) > 0]
    names = [_("attacker"), _("defender")] if len(laws) > 1 else [_("chance"), _("at least")]
    cells: list[list[str]] = [[_("hits"), *names]]
    for hits in likely.tolist():
        chances = [_percent(float(law[hits]), 1 - float(law[hits])) for law in both]
        if len(laws) == 1:
            chances.append(_percent(float(both[0, hits:].sum()), float(both[0, :hits].sum())))
        cells.append([str(hits), *chances])
    return narrow(cells, ">>>")


async def _draw(title: str, laws: Sequence[Chances], waves: Waves, services: Services) -> bytes:
    """Draw the law of one side's hits, or what the hits of both cost each other."""
    if len(laws) == 1:
        return await services.engine.draw(RESULT, ("throw", title, waves), _picture_of(title, laws[0]))
    battle = waves.battles[0]
    most = [sum(part.units for part in battle.segments(role)) for role in ROLES[::-1]]
    ours, theirs = (
        np.bincount(np.minimum(np.arange(len(law)), limit), law) for law, limit in zip(laws, most, strict=True)
    )
    outcomes = [
        (lost, beaten, float(chance * other)) for beaten, chance in enumerate(ours) for lost, other in enumerate(theirs)
    ]
    title = _("One round: {battle}", battle=title)
    return await services.engine.draw(LOSSES, ("throw", waves), title, outcomes)


def _picture_of(title: str, law: Chances) -> DrawnResult:
    """Return the picture of a law of hits: its likeliest number is marked."""
    hits = np.arange(len(law))
    likely, (low, high) = int(law.argmax()), central_80(hits, law)
    mean = float(law @ hits)
    marked = _n("{n} hit", "{n} hits", likely)
    between = _("8 throws in 10: {low} to {high} hits", low=low, high=high)
    return DrawnResult(
        [title],
        _("{mean} hits on average", mean=number(mean, 2)),
        "",
        f"{marked}: {_percent(float(law[likely]), 1 - float(law[likely]))}",
        [(float(count), float(chance), 0.0, 0.0) for count, chance in enumerate(law) if chance > 0],
        [float(likely)],
        (_("hits"), ""),
        between,
    )
