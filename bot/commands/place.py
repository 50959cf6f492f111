"""/place: where to put the units at hand, so that as much as possible is held against the attacks that threaten."""

from dataclasses import replace

from bot.army_wording import told_side
from bot.commands.armies import show_armies
from bot.commands.request import Request, Services
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.matchup import Reading, may_name_a_setup, meaning, split_plans
from bot.matchup.armies_writing import plain, told_units
from bot.matchup.placing import LONGEST_TYPED, parse_placing, write_placing
from bot.replies import Button, Field, Form, Picture, Reply, aligned
from bot.wording import certain
from solver.placing import MOST_TERRITORIES, Aim, Placement, Placements, Placing
from solver.sides import Side, Units

ORDINALS = ("1st", "2nd", "3rd", *(f"{number}th" for number in range(4, MOST_TERRITORIES + 1)))
NOBODY = "nobody"
MOST_COLUMNS = 4
"""So many territories have a column each in a table."""


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
    field = Field("matchup", "At hand || attack vs who stands there || …", request.options["matchup"], LONGEST_TYPED)
    return Form("Change the placing", "place", (field,))


async def odds_of(place: int, request: Request, services: Services) -> Reply:
    """The odds of one of the territories with those who are best placed there."""
    placing = await _read(request, services)
    if place >= len(placing.territories):
        raise UserError(f"There are {len(placing.territories)} territories in that line.")
    found = await services.engine.placements(placing)
    battle = placing.territories[place].with_units(dict(found.best[0].shares[place]))
    if not battle.defender.units:
        raise UserError("Nobody would stand there.")
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
    return Reply(
        "\n".join(lines),
        table=(*_territories(placing, found, edition), *_others(placing, found, edition)),
        note=f"exact · held: not taken by the attacker · {edition.name} · `{write_placing(placing)}`",
        picture=await _picture(placing, found, edition, services),
        buttons=_buttons(placing, found),
        private=request.private,
    )


# In words -----------------------------------------------------------------------------------------------


def goal(placing: Placing) -> str:
    """What is to be held: "Hold at least 2 of 3"."""
    places = len(placing.territories)
    if placing.aim == "value":
        return "Value held on average"
    if placing.aim == "at_least":
        return f"Hold at least {placing.at_least} of {places}"
    return {1: "Hold it", 2: "Hold both"}.get(places, f"Hold all {places}")


def worth(placing: Placing, found: Placements, placement: Placement) -> str:
    """What a placement is worth: a chance, that of as many as can be held, or a value."""
    return f"{placement.worth:.2f}" if placing.aim == "value" else certain(sum(placement.law[found.held :]))


def verdict(placing: Placing, found: Placements) -> str:
    """What the best placement comes to."""
    best = found.best[0]
    if placing.aim == "value":
        return (
            f"{goal(placing)}: {worth(placing, found, best)} of {plain(sum(one.value for one in placing.territories))}"
        )
    if found.held == placing.wanted:
        return f"{goal(placing)}: {worth(placing, found, best)}"
    fewer = f"at least {found.held} of {len(placing.territories)} {worth(placing, found, best)} at best"
    return f"{goal(placing)}: out of reach, {fewer}"


def _units(units: Units, edition: Edition) -> str:
    return told_units(dict(units), edition) or NOBODY


def _shares(placing: Placing, placement: Placement, edition: Edition) -> str:
    """Who goes where: "1st 4 inf 1 art · 2nd 3 inf 1 fig"."""
    if len(placement.shares) == 1:
        return _units(placement.shares[0], edition)
    told = zip(ORDINALS, placement.shares, strict=False)
    return " · ".join(f"{ordinal} {_units(units, edition)}" for ordinal, units in told)


def _gain(placing: Placing, found: Placements) -> str:
    """What simpler ways would come to."""
    ways = []
    if len(placing.territories) > 1:
        fullest = max(range(len(placing.territories)), key=lambda one: len(found.together.shares[one]))
        ways += [
            f"spread evenly {worth(placing, found, found.even)}",
            f"all in the {ORDINALS[fullest]} {worth(placing, found, found.together)}",
        ]
    told = " · ".join([*ways, f"nobody placed {worth(placing, found, found.without)}"])
    return told[0].upper() + told[1:]


def _law(placing: Placing, best: Placement) -> list[str]:
    """How likely it is that so many are held."""
    if len(best.law) <= 2:
        return []
    places = len(placing.territories)
    told = [
        f"{'all' if held == places else held or 'none'} {certain(best.law[held])}" for held in range(places, -1, -1)
    ]
    return [f"Held: {' · '.join(told)}"]


def _remarks(placing: Placing, found: Placements, edition: Edition) -> list[str]:
    remarks = []
    if found.best[0].kept:
        remarks.append(f"Kept back, as they would help nowhere: {_units(found.best[0].kept, edition)}")
    alike = (" and ".join(edition.short[name] for name in names) for names in found.alike)
    return [*remarks, *(f"{names} do the same here: they may change places" for names in alike), *edition.remarks]


def _territories(placing: Placing, found: Placements, edition: Edition) -> tuple[str, ...]:
    """A row for each territory: who goes there, the chance that it is held, that without them, who meets whom."""
    best, values = found.best[0], placing.aim == "value"
    cells = [["", "place", "held", "without", "against", *["worth"] * values]]
    for number, territory in enumerate(placing.territories):
        stands = territory.attack.defender
        against = told_side(territory.attack.attacker, edition)
        against += f", {told_side(stands, edition)} there" if stands.units else ""
        chances = (certain(one.chances[number]) for one in (best, found.without))
        value = [plain(territory.value)] * values
        cells.append([ORDINALS[number], _units(best.shares[number], edition), *chances, against, *value])
    return aligned(cells)


def _others(placing: Placing, found: Placements, edition: Edition) -> tuple[str, ...]:
    """The next best placements, one a row; of many territories only those in which they differ from the best."""
    places = range(len(placing.territories))
    best, *others = found.best
    if not others or len(places) == 1:
        return ()
    if len(places) <= MOST_COLUMNS:
        cells = [["next best", *ORDINALS[: len(places)]]]
        cells += [[worth(placing, found, one), *(_units(units, edition) for units in one.shares)] for one in others]
    else:
        cells = [["next best", "with"]]
        for one in others:
            changed = (place for place in places if one.shares[place] != best.shares[place])
            told = " · ".join(f"{ORDINALS[place]} {_units(one.shares[place], edition)}" for place in changed)
            cells.append([worth(placing, found, one), told])
    return "", *aligned(cells)


# Buttons and picture ------------------------------------------------------------------------------------


def _buttons(placing: Placing, found: Placements) -> tuple[Button, ...]:
    """The other goals, and the odds of every territory."""
    places = len(placing.territories)
    most = placing.aim == "at_least" and placing.at_least == places - 1
    goals = [
        (placing.aim != "all", Button("Hold both" if places == 2 else "Hold all", "place all")),
        (not most, Button(f"At least {places - 1}", "place most")),
        (placing.aim != "value", Button("Most value", "place value")),
    ]
    buttons = [button for offered, button in goals if offered and places > 1]
    buttons.append(Button("Edit", "edit placing"))
    for number, territory in enumerate(placing.territories):
        somebody = bool(territory.attack.defender.units or found.best[0].shares[number])
        buttons.append(Button(f"Odds {ORDINALS[number]}", f"place odds {number + 1}", enabled=somebody))
    return tuple(buttons)


async def _picture(placing: Placing, found: Placements, edition: Edition, services: Services) -> Picture:
    best = found.best[0]
    total = sum(one.value for one in placing.territories)
    share = best.worth / (total or 1) if placing.aim == "value" else best.worth
    numbers = (
        (f"{best.worth:.2f}", f"{total - best.worth:.2f}")
        if placing.aim == "value"
        else (certain(best.worth), certain(1 - best.worth))
    )
    rows = [
        (
            f"{ORDINALS[number]}: {_units(best.shares[number], edition)}",
            f"against {told_side(territory.attack.attacker, edition)}",
            best.chances[number],
            found.without.chances[number],
            certain(best.chances[number]),
        )
        for number, territory in enumerate(placing.territories)
    ]
    title = f"{told_side(Side(placing.units), edition)} to place"
    png = await services.engine.drawn(placing, "draw_places", title, _captions(placing), numbers, share, rows)
    return Picture(png, "places.png", _alternative(placing, found, edition), lines=0)


def _captions(placing: Placing) -> tuple[str, str]:
    """What the two large numbers are."""
    places = len(placing.territories)
    if placing.aim == "value":
        return "value held", "value lost"
    if placing.aim == "at_least":
        return f"at least {placing.at_least} of {places} held", "fewer held"
    if places == 1:
        return "held", "taken"
    return "both held" if places == 2 else f"all {places} held", "not all held"


def _alternative(placing: Placing, found: Placements, edition: Edition) -> str:
    """The picture in a few sentences, for those who cannot see it."""
    best = found.best[0]
    told = [
        f"{ORDINALS[number]} {_units(best.shares[number], edition)}: {certain(chance)}, without them {certain(before)}"
        for number, (chance, before) in enumerate(zip(best.chances, found.without.chances, strict=True))
    ]
    text = f"{verdict(placing, found)}. Bars show the chance that each territory is held. {'; '.join(told)}."
    return text if len(text) <= 1_000 else f"{text[:999]}…"
