"""/place: where to put the units at hand, so that as much as possible is held against the attacks that threaten."""

from dataclasses import replace
from itertools import chain

from bot.army_wording import listed, told_side
from bot.commands.armies import show_armies
from bot.commands.request import Request, Services
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, number
from bot.matchup import Reading, may_name_a_setup, meaning, split_plans
from bot.matchup.armies_writing import plain, told_units
from bot.matchup.placing import LONGEST_TYPED, parse_placing, write_placing
from bot.matchup.remarks import own_remarks
from bot.narrow import is_narrow, narrow, with_texts
from bot.replies import Button, Field, Form, Picture, Reply
from bot.wording import certain, fated
from solver.placing import Aim, Placement, Placements, Placing
from solver.sides import Side, Units

ORDINALS = N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"), N_("6th"), N_("7th"), N_("8th")
"""What the territories are called, as many as there can be."""
NOBODY = N_("nobody")


async def place(request: Request, services: Services) -> Reply:
    """Where to put everybody: the best way, what it gains over simpler ones, and the next best ones."""
    return await show_placing(await _read(request, services), request, services)


async def hold_all(request: Request, services: Services) -> Reply:
    """The same, to hold all."""
    return await _with_aim("all", request, services)


async def hold_most(request: Request, services: Services) -> Reply:
    """The same, to hold all but one at least."""
    return await _with_aim("at_least", request, services)


async def hold_value(request: Request, services: Services) -> Reply:
    """The same, for the value that is held on average."""
    return await _with_aim("value", request, services)


async def edit_placing(request: Request, services: Services) -> Form:
    """A form with the line, to change anything about it."""
    label = _("Your units || attack vs units there || …")
    field = Field("matchup", label, request.options["matchup"], LONGEST_TYPED)
    return Form(_("Change the placement"), "place", (field,))


async def odds_of(place: int, request: Request, services: Services) -> Reply:
    """The odds of one of the territories with those who are best placed there."""
    placing = await _read(request, services)
    if place >= len(placing.territories):
        many = len(placing.territories)
        raise UserError(_n("There is {n} territory in that line.", "There are {n} territories in that line.", many))
    found = await services.engine.placements(placing)
    battle = placing.territories[place].with_units(dict(found.best[0].shares[place]))
    if not battle.defender.units:
        raise UserError(_("No unit would stand there."))
    return await show_armies(battle, Reading(battle), request, services)


async def _read(request: Request, services: Services) -> Placing:
    """What the request's line asks; saved set-ups go by name."""
    text = request.options["matchup"]
    named = any(may_name_a_setup(piece) for piece in split_plans(text))
    saved = await services.store.setups(request.place) if named else []
    with meaning(request.meant):
        return parse_placing(text, {setup.name: setup.line for setup in saved})


async def _with_aim(aim: Aim, request: Request, services: Services) -> Reply:
    placing = await _read(request, services)
    at_least = max(len(placing.territories) - 1, 1) if aim == "at_least" else None
    return await show_placing(replace(placing, aim=aim, at_least=at_least), request, services)


async def show_placing(placing: Placing, request: Request, services: Services) -> Reply:
    """The answer to "where do I put them"."""
    found = await services.engine.placements(placing)
    edition = editions()[placing.rules.key]
    lines = [f"**{verdict(placing, found)}** · {_shares(placing, found.best[0], edition)}", _gain(placing, found)]
    lines += _law(placing, found.best[0])
    lines += [f"-# {remark}" for remark in _remarks(placing, found, edition)]
    sure = _("exact"), _('"Held" = the attacker doesn\'t take it')
    return Reply(
        "\n".join(lines),
        table=(*_territories(placing, found, edition), *_others(placing, found, edition)),
        note=" · ".join([*sure, _(edition.name), f"`{write_placing(placing)}`"]),
        picture=await _picture(placing, found, edition, services),
        buttons=_buttons(placing, found),
        private=request.private,
    )


# In words -----------------------------------------------------------------------------------------------


def goal(placing: Placing) -> str:
    """What is to be held: "Hold at least 2 of 3"."""
    places = len(placing.territories)
    if placing.aim == "value":
        return _("Value held on average")
    if placing.aim == "at_least":
        return _("Hold at least {held} of {territories}", held=placing.at_least, territories=places)
    if places == 1:
        return _("Hold it")
    return _("Hold both") if places == 2 else _("Hold all {territories}", territories=places)


def worth(placing: Placing, found: Placements, placement: Placement) -> str:
    """What a placement is worth: a chance, that of as many as can be held, or a value."""
    return number(placement.worth, 2) if placing.aim == "value" else certain(sum(placement.law[found.held :]))


def verdict(placing: Placing, found: Placements) -> str:
    """What the best placement comes to."""
    best = found.best[0]
    if placing.aim == "value":
        total = plain(sum(one.value for one in placing.territories))
        return _("{goal}: {value} of {total}", goal=goal(placing), value=worth(placing, found, best), total=total)
    if found.held == placing.wanted:
        return f"{goal(placing)}: {worth(placing, found, best)}"
    return _(
        "{goal}: out of reach; at least {held} of {territories}: {chance} at best",
        goal=goal(placing),
        held=found.held,
        territories=len(placing.territories),
        chance=worth(placing, found, best),
    )


def _units(units: Units, edition: Edition) -> str:
    return told_units(dict(units), edition) or _(NOBODY)


def _called(number: int) -> str:
    """What the territory of a number, from 0 on, is called: "1st"."""
    return _(ORDINALS[number])


def _shares(placing: Placing, placement: Placement, edition: Edition) -> str:
    """Who goes where: "1st 4 inf 1 art · 2nd 3 inf 1 fig"."""
    if len(placement.shares) == 1:
        return _units(placement.shares[0], edition)
    return " · ".join(_share(place, units, edition) for place, units in enumerate(placement.shares))


def _count(units: Units) -> str:
    """Say only how many units these are."""
    return _n("{n} unit", "{n} units", sum(count for _name, count in units))


def _share(place: int, units: Units, edition: Edition) -> str:
    """Who goes to one territory: "1st 4 inf 1 art"."""
    return _("{territory} {units}", territory=_called(place), units=_units(units, edition))


def _gain(placing: Placing, found: Placements) -> str:
    """What simpler ways would come to."""
    ways: list[str] = []
    if len(placing.territories) > 1:
        fullest = max(range(len(placing.territories)), key=lambda one: len(found.together.shares[one]))
        ways += [
            _("split evenly: {chance}", chance=worth(placing, found, found.even)),
            _(
                "all in the {territory}: {chance}",
                territory=_called(fullest),
                chance=worth(placing, found, found.together),
            ),
        ]
    told = " · ".join([*ways, _("with no reinforcements: {chance}", chance=worth(placing, found, found.without))])
    return told[0].upper() + told[1:]


def _law(placing: Placing, best: Placement) -> list[str]:
    """How likely it is that so many are held."""
    if len(best.law) <= 2:
        return []
    none, *some, every = (certain(chance) for chance in best.law)
    between = [fated(str(held), chance) for held, chance in enumerate(some, start=1)]
    told = [
        _p("territories", "all {chance}", chance=every),
        *between[::-1],
        _p("territories", "none {chance}", chance=none),
    ]
    return [_("Held: {counts}", counts=" · ".join(told))]


def _remarks(placing: Placing, found: Placements, edition: Edition) -> list[str]:
    remarks: list[str] = []
    if kept := found.best[0].kept:
        remarks.append(_("Kept back, because they help nowhere: {units}", units=_units(kept, edition)))
    for names in found.alike:
        alike = listed([edition.short[name] for name in names], units=True)
        remarks.append(_("{units} do the same here, so you can swap them", units=alike))
    attacks = chain.from_iterable(own_remarks(territory.attack) for territory in placing.territories)
    return [*remarks, *dict.fromkeys(attacks), *edition.remarks]


def _territories(placing: Placing, found: Placements, edition: Edition) -> tuple[str, ...]:
    """A row for each territory: the chance that it is held, that without those who go there, who meets whom."""
    best, values = found.best[0], placing.aim == "value"
    cells: list[list[str]] = [["", _p("column", "held"), _p("column", "without"), *[_p("column", "worth")] * values]]
    attacks: list[str] = [_p("column", "against")]
    for place, territory in enumerate(placing.territories):
        stands = territory.attack.defender
        against = told_side(territory.attack.attacker, edition)
        if stands.units:
            there = told_side(stands, edition)
            against = _("{attackers}, {defenders} there", attackers=against, defenders=there)
        chances = (certain(one.chances[place]) for one in (best, found.without))
        value = [plain(territory.value)] * values
        cells.append([_called(place), *chances, *value])
        attacks.append(against)
    return with_texts(cells, "<>>" + ">" * values, attacks)


def _others(placing: Placing, found: Placements, edition: Edition) -> tuple[str, ...]:
    """The next best placements, one a row; where that is too wide only the territories that differ from the best."""
    places = range(len(placing.territories))
    best, *others = found.best
    if not others or len(places) == 1:
        return ()
    cells: list[list[str]] = [[_("next best"), *map(_called, places)]]
    cells += [[worth(placing, found, one), *(_units(units, edition) for units in one.shares)] for one in others]
    if not is_narrow(cells):
        cells = [[_("next best"), _p("column", "with")]]
        for one in others:
            changed = (place for place in places if one.shares[place] != best.shares[place])
            told = " · ".join(_share(place, one.shares[place], edition) for place in changed)
            cells.append([worth(placing, found, one), told])
    return "", *narrow(cells, "<" * len(cells[0]))


# Buttons and picture ------------------------------------------------------------------------------------


def _buttons(placing: Placing, found: Placements) -> tuple[Button, ...]:
    """The other goals, and the odds of every territory."""
    places = len(placing.territories)
    most = placing.aim == "at_least" and placing.at_least == places - 1
    goals = [
        (placing.aim != "all", Button(_("Hold both") if places == 2 else _("Hold all"), "place all")),
        (not most, Button(_("At least {territories}", territories=places - 1), "place most")),
        (placing.aim != "value", Button(_("Most value"), "place value")),
    ]
    buttons = [button for offered, button in goals if offered and places > 1]
    buttons.append(Button(_("Edit"), "edit placing"))
    for place, territory in enumerate(placing.territories):
        somebody = bool(territory.attack.defender.units or found.best[0].shares[place])
        label = _("Odds {territory}", territory=_called(place))
        buttons.append(Button(label, f"place odds {place + 1}", enabled=somebody))
    return tuple(buttons)


async def _picture(placing: Placing, found: Placements, edition: Edition, services: Services) -> Picture:
    best = found.best[0]
    worth = number(best.worth, 2) if placing.aim == "value" else certain(best.worth)
    rows = [
        (
            (
                f"{_called(place)}: {_units(best.shares[place], edition)}",
                f"{_called(place)}: {_count(best.shares[place])}",
            ),
            _("against {attackers}", attackers=told_side(territory.attack.attacker, edition)),
            best.chances[place],
            found.without.chances[place],
            certain(best.chances[place]),
        )
        for place, territory in enumerate(placing.territories)
    ]
    title = _("{units} to place", units=told_side(Side(placing.units), edition))
    png = await services.engine.drawn(placing, "draw_places", title, worth, _caption(placing), rows)
    return Picture(png, "places.png", _alternative(placing, found, edition), lines=0)


def _caption(placing: Placing) -> str:
    """Say what the large number is."""
    places = len(placing.territories)
    if placing.aim == "value":
        total = number(sum(one.value for one in placing.territories), 2)
        return _("value held on average, of {total}", total=total)
    if placing.aim == "at_least":
        return _("chance to hold at least {held} of {territories}", held=placing.at_least, territories=places)
    if places == 1:
        return _("chance to hold it")
    return _("chance to hold both") if places == 2 else _("chance to hold all {territories}", territories=places)


def _alternative(placing: Placing, found: Placements, edition: Edition) -> str:
    """The picture in a few sentences, for those who cannot see it."""
    best = found.best[0]
    told = [
        _(
            "{territory} {units}: {chance}, {before} without them",
            territory=_called(place),
            units=_units(best.shares[place], edition),
            chance=certain(chance),
            before=certain(before),
        )
        for place, (chance, before) in enumerate(zip(best.chances, found.without.chances, strict=True))
    ]
    bars = _("Bars show each territory's chance to hold.")
    text = f"{verdict(placing, found)}. {bars} {'; '.join(told)}."
    return text if len(text) <= 1_000 else f"{text[:999]}…"
