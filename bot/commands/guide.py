"""/help: a short first screen, then a screen for each game, for the variants, and for the rest; and /privacy."""

import inspect
from collections.abc import Iterator, Mapping, Sequence

from bot.autocomplete import Suggestion
from bot.commands.screens import BY_MESSAGE, VERSION, helps, screens, topic_of, words
from bot.errors import UserError, sentence_of
from bot.games.base import Rooms
from bot.games.help import Variant
from bot.languages import N_, _, _n
from bot.live import fair
from bot.live.page import page
from bot.names import nearest
from bot.packs import STACKED, Pack, find, row_text
from bot.place_settings import SETTINGS
from bot.replies import TURN, Button, Reply, TextFile, ask_button
from bot.request import Request, Services
from bot.settings import Settings
from bot.version import version
from bot.words.narrow import fold
from solver import BattleError

VARIANTS = "variants"
MOST_TOPICS = 25
"""The most topics that are suggested at a time: Discord shows no more."""


def topics(rooms: Rooms) -> tuple[str, ...]:
    """Return the topics that can be asked for."""
    return (*filter(None, screens(rooms)), VARIANTS)


def labels(rooms: Rooms) -> dict[str, str]:
    """Return the labels of the buttons that lead to each topic."""
    return {topic: screen.label for topic, screen in screens(rooms).items()} | {VARIANTS: N_("Variants")}


async def show_help(request: Request, services: Services) -> Reply:
    """Show a screen, a variant, or the variants that a word is about."""
    rooms = services.rooms
    word = _typed_topic(request.options.get("topic", request.argument))
    topic = topic_of(rooms, word)
    key = topic.removeprefix("variant:").replace(" ", "-")
    if topic in screens(rooms):
        return _screen(topic, request, services)
    variants = _variants(rooms)
    if topic == VARIANTS:
        text = _("**Variants**: add `variant:` to a line, as in `/battle 12 9 variant:2210`")
        buttons = _leads(rooms, "risk", "rules", "")
        return Reply(text, facts=_names(rooms), table=_as_table(_rows(variants)), buttons=buttons, private=True)
    pack = _pack(key)
    key = pack.key if pack else key
    if key in variants:
        return _variant(variants[key], rooms)
    if pack:
        return _stack([variants[part] for part in key.split(",")], key, rooms)
    if rows := [row for row in _rows(variants) if topic in row.casefold()]:
        text = _("**{found} of the variants**: add `variant:` to a line", found=len(rows))
        return Reply(text, table=_as_table(rows), buttons=_leads(rooms, VARIANTS, ""), private=True)
    near = nearest(topic, [*topics(rooms), *variants])
    if not near:
        raise UserError(_("There is no help on that. `/help` alone shows all topics."), "help")
    raise UserError(_("There is no help on that. Did you mean `/help {topic}`?", topic=near), f"help {near}")


async def suggest_topics(request: Request, services: Services) -> list[Suggestion]:
    """Suggest screens, variants and words that people look for, first those that begin as the typed text does."""
    rooms, typed = services.rooms, _typed_topic(request.options.get("topic", ""))
    known = labels(rooms)
    names = {topic: known[topic] for topic in topics(rooms)}
    names |= {key: variant.name for key, variant in _variants(rooms).items()}
    if typed:
        names |= {word: known[topic] for word, topic in words(rooms).items() if word.startswith(typed) and topic}
    rows = [Suggestion(f"{topic} → {_(name)}", topic) for topic, name in names.items()]
    begun = [row for row in rows if row.line.startswith(typed)]
    others = [row for row in rows if typed in row.label.casefold() and row not in begun]
    return [*begun, *others][:MOST_TOPICS]


async def show_privacy(request: Request, services: Services) -> Reply:
    """Say what is stored, for how long, and how to have it deleted."""
    history, leaving = services.settings.history_days, services.settings.keep_after_leaving
    battles = _n(
        "I delete a battle {n} day after its last roll.", "I delete a battle {n} days after its last roll.", history
    )
    departed = _n(
        "If a server removes me, I delete everything stored for it {n} day later.",
        "If a server removes me, I delete everything stored for it {n} days later.",
        leaving,
    )
    lines = (
        _("**What I store, for how long, and how to delete it**"),
        _("**Battles** from `/roll`: ids and names of the players, and every roll.")
        + f" {battles if history else _('I keep them for good.')}",
        _("**Presets**: the battle, its name, its note, and who saved it. They stay until `/preset delete`."),
        _("**Settings** of a server, or your own. They stay until someone changes them."),
        *_own_settings(request),
        _(
            "I store other questions and who asked them only while I work on a long answer. "
            "My log files have no names or ids of people."
        ),
        "",
        _("`/history forget` removes your name and id from all battles and presets on all servers."),
        _("It also deletes your own settings, and the battles and presets of your direct messages."),
        _("With `/settings history:off`, no finished battle is kept here."),
        f"{departed} {_('If it adds me again before that, nothing is lost.')}",
        _("I use all this to play, show and check battles, and for nothing else."),
        *_words_of_the_host(services.settings),
    )
    return Reply("\n".join(lines), private=True)


def _words_of_the_host(settings: Settings) -> Iterator[str]:
    """Yield sentences with the policy, the terms and the address of the host."""
    if settings.privacy_url:
        yield _("The privacy policy of this bot: <{address}>", address=settings.privacy_url)
    else:
        yield _("The host of this bot may have more rules, for example about backups.")
    if settings.terms_url:
        yield _("Its terms of use: <{address}>", address=settings.terms_url)
    if settings.contact:
        yield _("Questions, or anything else to see or delete: {contact}", contact=settings.contact)


def _own_settings(request: Request) -> Iterator[str]:
    """Yield a sentence with the settings that the person has of their own, as a command; none without such settings."""
    mine = request.place_settings.mine
    chosen = " ".join(f"{name}:{SETTINGS[name].as_typed(mine[name])}" for name in sorted(mine))
    if chosen and request.private:
        yield _("Your own settings for everywhere are `/settings mine:True {chosen}`.", chosen=chosen)


def _typed_topic(text: str) -> str:
    """Return the topic in a typed or suggested text."""
    return text.partition("→")[0].strip().casefold().removeprefix("/").removeprefix("help ")


def _screen(topic: str, request: Request, services: Services) -> Reply:
    """Return a screen, its lines to tap, and buttons to other screens."""
    rooms, usual = services.rooms, request.place_settings.edition
    screen = screens(rooms)[topic]
    lines = [line for line in screen.lines if line != BY_MESSAGE or services.settings.messages]
    known = {"version": version()} if VERSION in lines else {}
    return Reply(
        "\n".join(_(line, usual=usual, **known) if line else "" for line in lines),
        file=TextFile("fair.py", inspect.getsource(fair)) if topic == "fairness" else None,
        page=page() if topic == "fairness" else None,
        buttons=(
            *(ask_button(request.as_example_here(rooms, line)) for line in screen.tries),
            *_leads(rooms, *screen.leads),
        ),
        private=True,
    )


def _leads(rooms: Rooms, *topics: str) -> tuple[Button, ...]:
    """Return buttons that show other screens in the same message."""
    known = labels(rooms)
    return tuple(Button(_(known[topic]), TURN, argument=topic) for topic in topics)


def _as_table(rows: list[str]) -> tuple[str, ...]:
    """Return the rows as lines that fit a phone."""
    return tuple("\n".join(fold(row)) for row in rows)


def _variants(rooms: Rooms) -> dict[str, Variant]:
    """Return the variants of all games by their keys."""
    return {key: variant for part in helps(rooms) if part.variants for key, variant in part.variants().items()}


def _names(rooms: Rooms) -> tuple[str, ...]:
    """Return a line with the names of all variants for each game that has some."""
    parts = [part.variants() for part in helps(rooms) if part.variants]
    return tuple(" ".join(f"`{key}`" for key in variants) for variants in parts)


def _rows(variants: Mapping[str, Variant]) -> list[str]:
    """Return a row for every variant."""
    return [row_text(key, variant.name, variant.about, variant.unsure) for key, variant in variants.items()]


def _pack(names: str) -> Pack | None:
    """Return the rule pack of these names; UserError if they can't stand together."""
    try:
        return find(names)
    except BattleError as error:
        raise UserError(sentence_of(error)) from None


def _stack(parts: Sequence[Variant], key: str, rooms: Rooms) -> Reply:
    """Return what is different in each of some variants that stand together, with a line to tap."""
    line = f"{parts[0].line.partition(' variant:')[0]} variant:{key}"
    name = STACKED.join(_(part.name) for part in parts)
    facts = (f"**{_(part.name)}**: {_(part.about)}" for part in parts)
    return Reply(
        f"**{name}** `/{line}`",
        facts=tuple(facts),
        buttons=(ask_button(line), *_leads(rooms, *parts[0].leads)),
        private=True,
    )


def _variant(variant: Variant, rooms: Rooms) -> Reply:
    """Return what is different in a variant, with a line to tap."""
    texts = [_(text) for text in (variant.about, variant.unsure) if text] + [variant.more] * bool(variant.more)
    about = "\n".join(f"{text.rstrip('.')}." for text in texts)
    text, source = f"**{_(variant.name)}** `/{variant.line}`\n{about}", _("source: {source}", source=_(variant.source))
    return Reply(
        text if variant.table else f"{text}\n-# {source}",
        table=variant.table,
        note=source if variant.table else "",
        buttons=(ask_button(variant.line), *_leads(rooms, *variant.leads)),
        private=True,
    )
