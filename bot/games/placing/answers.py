"""/place: where to put the units at hand, so that as much as possible is held against the attacks that threaten."""

from collections.abc import Sequence
from dataclasses import replace

from bot.charts import Chart
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.games.axis.answers import answer_battle
from bot.games.axis.bombardment import allow, bombardment_remarks
from bot.games.axis.matchup import count_text, join_words, side_text
from bot.games.axis.remarks import battle_remarks
from bot.games.axis.writing import units_text
from bot.games.base import Reading
from bot.games.placing.notation import LONGEST_TYPED, parse_placing, write_placing
from bot.languages import N_, _, _n, _p, number
from bot.notation.defaults import reading_with
from bot.notation.lexer import may_name_a_preset
from bot.notation.options import write_number
from bot.notation.plans import split_plans
from bot.replies import Button, Form, FormField, Picture, Reply
from bot.request import Request, Services
from bot.words.narrow import is_narrow, narrow, with_texts
from bot.words.numbers import exact_percent, fate_text
from solver.axis.sides import Army, Units
from solver.axis.waves.waves import Waves
from solver.placing.game import placements_within
from solver.placing.placements import Placement, Placements
from solver.placing.placing import Aim, Placing

CHART = Chart("bot.games.placing.chart.draw_places", personal=False)

ORDINALS = N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"), N_("6th"), N_("7th"), N_("8th")
"""The names of the territories, as many as there can be."""
NOBODY = N_("nobody")


async def place(request: Request, services: Services) -> Reply:
    """Answer /place: the best placement, what it gains over simpler ones, and the next best ones."""
    return await show_placing(*await _read(request, services), request, services)


async def edit_placing(request: Request, services: Services) -> Form:
    """Ask for another line with a form, filled in with the line of the answer."""
    label = _("Your units || attack vs units there || …")
    field = FormField("matchup", label, request.options["matchup"], LONGEST_TYPED)
    return Form(_("Change the placement"), "place", (field,))


async def odds_of(place: int, request: Request, services: Services) -> Reply:
    """Answer with the odds of one territory after the best placement."""
    placing, _remarks = await _read(request, services)
    if place >= (count := len(placing.territories)):
        raise UserError(_n("There is {n} territory in that line.", "There are {n} territories in that line.", count))
    placements = await services.engine.compute_within(placements_within, placing)
    battle = placing.territories[place].with_units(dict(placements.best[0].shares[place]))
    if not battle.defender.units:
        raise UserError(_("No unit would stand there."))
    waves = Waves.one(battle)
    return await answer_battle(waves, Reading(waves, of_battle=tuple(battle_remarks(waves))), request, services)


async def _read(request: Request, services: Services) -> tuple[Placing, tuple[str, ...]]:
    """Read the placing of the request's line, as the rulebook allows it, with remarks; saved set-ups go by name."""
    text = request.options["matchup"]
    named = any(may_name_a_preset(piece) for piece in split_plans(text))
    saved = await services.saved_lines(request.place) if named else {}
    with reading_with(request.line_defaults):
        placing = parse_placing(text, saved)
    if not request.is_new:
        return placing, ()
    allowed = [allow(Reading(Waves.one(territory.attack))) for territory in placing.territories]
    territories = tuple(
        replace(territory, attack=reading.battle.only)
        for territory, reading in zip(placing.territories, allowed, strict=True)
    )
    remarks = dict.fromkeys(remark for reading in allowed for remark in reading.remarks)
    return replace(placing, territories=territories), tuple(remarks)


async def with_aim(aim: Aim, request: Request, services: Services) -> Reply:
    """Answer for another aim: all territories, all but one at least, or the most value on average."""
    placing, remarks = await _read(request, services)
    at_least = max(len(placing.territories) - 1, 1) if aim == "at_least" else None
    return await show_placing(replace(placing, aim=aim, at_least=at_least), remarks, request, services)


async def show_placing(placing: Placing, remarks: Sequence[str], request: Request, services: Services) -> Reply:
    """Answer with the best placements; `remarks` are the remarks about the line."""
    placements = await services.engine.compute_within(placements_within, placing)
    edition = editions()[placing.rules.key]
    best = placements.best[0].shares
    shares = " · ".join(_share(place, units, edition) for place, units in enumerate(best))
    if len(best) == 1:
        shares = _units(best[0], edition)
    facts = _gain(placing, placements), *_law(placing, placements.best[0])
    sure = _("exact"), _('"Held" = the attacker doesn\'t take it')
    return Reply(
        f"**{verdict(placing, placements)}** · {shares}",
        facts=facts,
        remarks=(*remarks, *_remarks(placing, placements, edition)),
        table=(*_territories(placing, placements, edition), *_others(placing, placements, edition)),
        note=" · ".join([*sure, _(edition.name)]),
        line=write_placing(placing),
        picture=await _picture(placing, placements, edition, facts, services),
        buttons=_buttons(placing, placements),
        private=request.private,
    )


def goal(placing: Placing) -> str:
    """Say what is to be held: "Hold at least 2 of 3"."""
    places = len(placing.territories)
    if placing.aim == "value":
        return _("Value held on average")
    if placing.aim == "at_least":
        return _("Hold at least {held} of {territories}", held=placing.at_least, territories=places)
    if places == 1:
        return _("Hold it")
    return _("Hold both") if places == 2 else _("Hold all {territories}", territories=places)


def worth(placing: Placing, placements: Placements, placement: Placement) -> str:
    """Write the worth of a placement: the chance to hold as many as possible, or a value."""
    if placing.aim == "value":
        return number(placement.worth, 2)
    return exact_percent(sum(placement.law[placements.held :]))


def verdict(placing: Placing, placements: Placements) -> str:
    """Say how good the best placement is."""
    aim, best = goal(placing), worth(placing, placements, placements.best[0])
    if placing.aim == "value":
        total = write_number(sum(territory.value for territory in placing.territories))
        return _("{goal}: {value} of {total}", goal=aim, value=best, total=total)
    if placements.held == placing.wanted:
        return f"{aim}: {best}"
    counts = {"held": placements.held, "territories": len(placing.territories)}
    text = N_("{goal}: out of reach; at least {held} of {territories}: {chance} at best")
    return _(text, goal=aim, chance=best, **counts)


def _units(units: Units, edition: Edition) -> str:
    return units_text(dict(units), edition) or _(NOBODY)


def _ordinal(number: int) -> str:
    """Return the name of the territory of a number from 0 on: "1st"."""
    return _(ORDINALS[number])


def _share(place: int, units: Units, edition: Edition) -> str:
    """Say who goes to one territory: "1st 4 inf 1 art"."""
    return _("{territory} {units}", territory=_ordinal(place), units=_units(units, edition))


def _gain(placing: Placing, placements: Placements) -> str:
    """Say how good simpler placements are."""
    ways: list[str] = []
    if len(placing.territories) > 1:
        fullest = max(range(len(placing.territories)), key=lambda place: len(placements.together.shares[place]))
        ways += [
            _("split evenly: {chance}", chance=worth(placing, placements, placements.even)),
            _(
                "all in the {territory}: {chance}",
                territory=_ordinal(fullest),
                chance=worth(placing, placements, placements.together),
            ),
        ]
    text = " · ".join(
        [*ways, _("with no reinforcements: {chance}", chance=worth(placing, placements, placements.without))]
    )
    return text[0].upper() + text[1:]


def _law(placing: Placing, best: Placement) -> list[str]:
    """Say how likely each number of territories is held."""
    if len(best.law) <= 2:
        return []
    none, *some, every = (exact_percent(chance) for chance in best.law)
    between = [fate_text(str(held), chance) for held, chance in enumerate(some, start=1)]
    counts = [
        _p("territories", "all {chance}", chance=every),
        *between[::-1],
        _p("territories", "none {chance}", chance=none),
    ]
    return [_("Held: {counts}", counts=" · ".join(counts))]


def _remarks(placing: Placing, placements: Placements, edition: Edition) -> list[str]:
    remarks: list[str] = []
    if rest := placements.best[0].kept:
        remarks.append(_("Kept back, because they help nowhere: {units}", units=_units(rest, edition)))
    for names in placements.alike:
        alike = join_words([edition.short[name] for name in names], units=True)
        remarks.append(_("{units} do the same here, so you can swap them", units=alike))
    for attack in (Waves.one(territory.attack) for territory in placing.territories):
        remarks += [*battle_remarks(attack), *bombardment_remarks(attack)]
    return [*dict.fromkeys(remarks), *edition.remarks]


def _territories(placing: Placing, placements: Placements, edition: Edition) -> tuple[str, ...]:
    """Return a row for each territory: the chance to hold it with and without the placed units, and the attack."""
    best, values = placements.best[0], placing.aim == "value"
    cells: list[list[str]] = [["", _p("column", "held"), _p("column", "without"), *[_p("column", "worth")] * values]]
    attacks: list[str] = [_p("column", "against")]
    for place, territory in enumerate(placing.territories):
        stands = territory.attack.defender
        against = side_text(territory.attack.attacker, edition)
        if stands.units:
            there = side_text(stands, edition)
            against = _("{attackers}, {defenders} there", attackers=against, defenders=there)
        chances = (exact_percent(placement.chances[place]) for placement in (best, placements.without))
        value = [write_number(territory.value)] * values
        cells.append([_ordinal(place), *chances, *value])
        attacks.append(against)
    return with_texts(cells, "<>>" + ">" * values, attacks)


def _others(placing: Placing, placements: Placements, edition: Edition) -> tuple[str, ...]:
    """Return a row for each of the next best placements; if that is too wide, only what differs from the best."""
    places = range(len(placing.territories))
    best, *others = placements.best
    if not others or len(places) == 1:
        return ()
    cells: list[list[str]] = [[_("next best"), *map(_ordinal, places)]]
    cells += [
        [worth(placing, placements, placement), *(_units(units, edition) for units in placement.shares)]
        for placement in others
    ]
    if not is_narrow(cells):
        cells = [[_("next best"), _p("column", "with")]]
        for placement in others:
            changed = (place for place in places if placement.shares[place] != best.shares[place])
            changes = " · ".join(_share(place, placement.shares[place], edition) for place in changed)
            cells.append([worth(placing, placements, placement), changes])
    return "", *narrow(cells, "<" * len(cells[0]))


def _buttons(placing: Placing, placements: Placements) -> tuple[Button, ...]:
    """Return buttons for the other goals and the odds of every territory."""
    places = len(placing.territories)
    all_but_one = placing.aim == "at_least" and placing.at_least == places - 1
    goals = [
        (placing.aim != "all", Button(_("Hold both") if places == 2 else _("Hold all"), "place all")),
        (not all_but_one, Button(_("At least {territories}", territories=places - 1), "place most")),
        (placing.aim != "value", Button(_("Most value"), "place value")),
    ]
    buttons = [button for offered, button in goals if offered and places > 1]
    buttons.append(Button(_("Edit"), "edit placing"))
    for place, territory in enumerate(placing.territories):
        somebody = bool(territory.attack.defender.units or placements.best[0].shares[place])
        label = _("Odds {territory}", territory=_ordinal(place))
        buttons.append(Button(label, f"place odds {place + 1}", enabled=somebody))
    return tuple(buttons)


async def _picture(
    placing: Placing, placements: Placements, edition: Edition, beside: tuple[str, ...], services: Services
) -> Picture:
    best = placements.best[0]
    worth = number(best.worth, 2) if placing.aim == "value" else exact_percent(best.worth)
    rows = [
        (
            (
                f"{_ordinal(place)}: {_units(best.shares[place], edition)}",
                f"{_ordinal(place)}: {count_text(best.shares[place])}",
            ),
            _("against {attackers}", attackers=side_text(territory.attack.attacker, edition)),
            best.chances[place],
            placements.without.chances[place],
            exact_percent(best.chances[place]),
        )
        for place, territory in enumerate(placing.territories)
    ]
    title = _("{units} to place", units=side_text(Army(placing.units), edition))
    png = await services.engine.draw(CHART, placing, title, worth, _caption(placing), rows)
    return Picture(png, "places.png", _alternative(placing, placements, edition), beside)


def _caption(placing: Placing) -> str:
    """Say what the large number is."""
    places = len(placing.territories)
    if placing.aim == "value":
        total = number(sum(territory.value for territory in placing.territories), 2)
        return _("value held on average, of {total}", total=total)
    if placing.aim == "at_least":
        return _("chance to hold at least {held} of {territories}", held=placing.at_least, territories=places)
    if places == 1:
        return _("chance to hold it")
    return _("chance to hold both") if places == 2 else _("chance to hold all {territories}", territories=places)


def _alternative(placing: Placing, placements: Placements, edition: Edition) -> str:
    """Describe the picture in a few sentences, for those who cannot see it."""
    best = placements.best[0]
    texts = [
        _(
            "{territory} {units}: {chance}, {before} without them",
            territory=_ordinal(place),
            units=_units(best.shares[place], edition),
            chance=exact_percent(chance),
            before=exact_percent(before),
        )
        for place, (chance, before) in enumerate(zip(best.chances, placements.without.chances, strict=True))
    ]
    bars = _("Bars show each territory's chance to hold.")
    text = f"{verdict(placing, placements)}. {bars} {'; '.join(texts)}."
    return text if len(text) <= 1_000 else f"{text[:999]}…"
