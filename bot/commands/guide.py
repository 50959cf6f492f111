"""/help: what a newcomer understands in ten seconds; then a screen for each game, for the rule packs, for the rest."""

import inspect
from difflib import get_close_matches

from bot import fair
from bot.commands.request import Request, Services
from bot.commands.screens import ALSO, SCREENS
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.languages import N_, _
from bot.narrow import folded, narrow
from bot.packs import Pack, described, load, row
from bot.replies import TURN, Button, Reply, TextFile, to_ask
from solver.battle import GAMES

VARIANTS = "variants"
TOPICS = (*filter(None, SCREENS), VARIANTS)
LABELS = {topic: screen.label for topic, screen in SCREENS.items()} | {VARIANTS: N_("Variants")}


async def show_help(request: Request, services: Services) -> Reply:
    """What can be asked, for the person who asked."""
    topic = request.options.get("topic", request.argument).strip().casefold().removeprefix("/")
    topic = ALSO.get(topic, topic)
    key = topic.removeprefix("variant:")
    if topic in SCREENS:
        return _screen(topic, request)
    if topic == VARIANTS:
        text = _("**Variants**: add `variant:` to a line, as in `/battle 12 9 variant:2210`")
        return Reply(text, _folded(_rows()), buttons=_leads("risk", "rules", ""), private=True)
    if key in editions():
        return _edition(editions()[key])
    if key in load():
        return _pack(load()[key])
    if rows := [found for found in _rows() if topic in found.casefold()]:
        text = _("**{found} of the variants**: add `variant:` to a line", found=len(rows))
        return Reply(text, _folded(rows), buttons=_leads(VARIANTS, ""), private=True)
    near = get_close_matches(topic, [*TOPICS, *load(), *editions()], n=1)
    if not near:
        raise UserError(_("There is no help on that. `/help` alone shows all topics."), "help")
    raise UserError(_("There is no help on that. Did you mean `/help {topic}`?", topic=near[0]), f"help {near[0]}")


def _screen(topic: str, request: Request) -> Reply:
    """A screen, its lines to tap, and the ways on."""
    screen, usual = SCREENS[topic], request.habits.edition
    return Reply(
        "\n".join(_(line, usual=usual) if line else "" for line in screen.lines),
        file=TextFile("fair.py", inspect.getsource(fair)) if topic == "fairness" else None,
        buttons=(*(to_ask(request.offered(line)) for line in screen.tries), *_leads(*screen.leads)),
        private=True,
    )


def _leads(*topics: str) -> tuple[Button, ...]:
    """Buttons that show other screens in the same message."""
    return tuple(Button(_(LABELS[topic]), TURN, argument=topic) for topic in topics)


def _folded(rows: list[str]) -> tuple[str, ...]:
    return tuple("\n".join(folded(row)) for row in rows)


def _rows() -> list[str]:
    """Every rule pack, one a row."""
    dice = [told for game in GAMES for told in described(load(), game)]
    return dice + [row(one.key, one.name, one.about, one.unsure) for one in editions().values()]


def _pack(pack: Pack) -> Reply:
    """What a rule pack is, and a line to tap."""
    line = f"battle {'3 4' if pack.game == 'icons' else '12 9'} variant:{pack.key}"
    text = f"**{_(pack.name)}** `/{line}`\n{_about(pack)}\n-# {_('source: {source}', source=_(pack.source))}"
    return Reply(text, buttons=(to_ask(line), *_leads(VARIANTS, "")), private=True)


def _edition(edition: Edition) -> Reply:
    """An edition with the values of its units."""
    cells = [["", "", _("attack"), _("defence"), "IPC"]]
    for unit in edition.rules.units:
        attack = f"{unit.attack}" if unit.boost is None else f"{unit.attack} ({unit.boost})"
        name = _(unit.name.replace("_", " "))
        cells.append([edition.short[unit.name], name, attack, str(unit.defence), str(unit.cost)])
    line = f"battle 3 inf vs 2 inf variant:{edition.key}"
    return Reply(
        f"**{_(edition.name)}** `/{line}`\n{_about(edition)}",
        narrow(cells, "<<>>>"),
        note=_("source: {source}", source=_(edition.source)),
        buttons=(to_ask(line), *_leads("axis", VARIANTS, "")),
        private=True,
    )


def _about(pack: Pack | Edition) -> str:
    """What is said of a pack or an edition, and what is not sure."""
    told = [_(text) for text in (pack.about, pack.unsure) if text]
    return "\n".join(f"{text.rstrip('.')}." for text in told)
