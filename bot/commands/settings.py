"""/settings: shows and changes the settings of a server, a channel, or a person alone; typed or with forms."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from textwrap import shorten
from typing import NamedTuple
from zlib import crc32

from bot.autocomplete import LONGEST_SUGGESTION, Suggestion
from bot.commands.settings_typed import (
    AS_DISCORD,
    DEFAULT,
    NO_ROLE,
    current_value,
    parse_settings,
    parse_value,
    settings_of,
    split_channel,
)
from bot.editions import editions
from bot.errors import UserError
from bot.languages import ENGLISH, LANGUAGES, N_, _, language, speaking
from bot.notation.lexer import CLASSIC
from bot.packs import load
from bot.place_settings import SHOWS, PlaceSettings, legal
from bot.presets import ROLE
from bot.replies import Button, Choice, Form, FormField, Reply
from bot.request import Request, Services

CHANGE, CHANGE_OWN = "settings change", "settings change channel"
OF_SERVER, OF_CHANNEL, AS_SERVER = "settings server", "settings channel", "settings as server"
OWN = "channel"
"""The option, and the argument of a button, by which the settings are those that a channel has of its own."""
MOST_CHOICES, MOST_SUGGESTED = 25, 25
LONGEST_ABOUT = 100
COMMON = (
    *("starwars", "2210", "2210-two", "2210-three", "blitz", "blitz-capital", "capital-city", "wall", "castle"),
    *("general", "marshal", "risiko", "lotr-leader", "lotr-stronghold", "war-god", "magic-goddess", "zombies-attack"),
    *("halo-hero", "late-defence", "d8", "dice-4v3", "dice-2v2", "coin", "battle-dice"),
)
"""The packs that a form offers first."""
PAGES = {
    "settings games": (N_("Games"), ("game", "edition", "behind")),
    "settings answers": (N_("Answers"), ("show", "private", "language")),
    "settings records": (N_("Records"), (ROLE, "history")),
}
"""The buttons under the page, by the forms they open, and what these change."""
TEXTS = {
    ("behind", "no"): N_("**`12 9` means 12 armies that can attack.** Don't count the one you leave behind."),
    ("behind", "yes"): N_("**`12 9` means 12 armies, and one stays behind**: 11 can attack."),
    ("show", "both"): N_("**Answers have text and a picture.**"),
    ("show", "words"): N_("**Answers are text only**, without a picture."),
    ("show", "pictures"): N_("**Answers are a picture** and one sentence. Live battles still show every die as text."),
    ("private", "no"): N_("**Everyone sees the answers**; use `private:True` for an answer only you see."),
    ("private", "yes"): N_(
        "**Only the person who asks sees the answer**; use `private:False` to show one to everyone. "
        "Live battles and replies to messages are still public."
    ),
    ("history", "on"): N_(
        "**History is on**: I store who played and what was rolled, nothing else. Change it with "
        "`/settings history:off` or `on`."
    ),
    ("history", "off"): N_(
        "**History is off**: I delete a battle once its result has been shown; older battles stay. "
        "Change it with `/settings history:off` or `on`."
    ),
}
"""The effects of the values of the settings."""


class Standing(NamedTuple):
    """The settings of a place as the database has them: those that count here, the server's, and the channel's own.

    `changes_own` says whether it is the channel's own that are changed.
    """

    here: PlaceSettings
    server: PlaceSettings
    own: Mapping[str, str]
    changes_own: bool


async def settings(request: Request, services: Services) -> Reply:
    """Change the settings that the request gives, all at once, and show all settings."""
    line, own = split_channel(request.options.get("setting", ""))
    others = {name: text for name, text in request.options.items() if text and name not in ("setting", OWN)}
    chosen = {name: text.partition("→")[0] for name, text in others.items()}
    own = own or bool(request.options.get(OWN))
    if not line and not chosen:
        return _page(request, await _standing(request, services, own))
    _check_manages(request)
    if own and line.casefold() == DEFAULT:
        return await forget_own(request, services)
    if line:
        return await _save(parse_settings(line, request, own), request, services, own)
    values = {name: parse_value(name, chosen[name], request, own) for name in chosen}
    return await _save(values, request, services, own)


async def change(own: bool, request: Request, services: Services) -> Reply:
    """Change the fields that somebody changed in a form; the others stay, even if they have another value by now."""
    _check_manages(request)
    shown = request.argument.split(",")
    filled = {name: text or NO_ROLE * (name == ROLE) for name, text in request.options.items()}
    chosen = {name: text for name, text in filled.items() if _mark(name, text) not in shown}
    values = {name: parse_value(name, chosen[name], request, own) for name in chosen}
    return await _save(values, request, services, own)


async def form(command: str, request: Request, services: Services) -> Form:
    """Ask for some of the settings with a form, filled in with their values."""
    _check_manages(request)
    own = request.argument == OWN
    standing, (title, names) = await _standing(request, services, own), PAGES[command]
    names = tuple(name for name in names if name in settings_of(request, own))
    shown = ",".join(_mark(name, _form_value(name, standing)) for name in names)
    fields = tuple(_field(name, request, standing) for name in names)
    if own:
        return Form(_("{title} in this channel", title=_(title)), CHANGE_OWN, fields, shown)
    return Form(_(title), CHANGE, fields, shown)


async def turn(own: bool, request: Request, services: Services) -> Reply:
    """Show the page whose buttons change the channel's own settings, or the one whose buttons change the server's."""
    _check_manages(request)
    return _page(request, await _standing(request, services, own))


async def forget_own(request: Request, services: Services) -> Reply:
    """Forget the settings that the channel has of its own."""
    _check_manages(request)
    _check_channel(request, own=True)
    before = await _standing(request, services, own=True)
    services.forget_known_settings(request.place)
    await services.store.forget_settings(request.place, request.settings_channel)
    return _changed_page(request, before, await _standing(request, services, own=True))


async def suggest_games(request: Request, services: Services) -> list[Suggestion]:
    """Suggest the games whose key or name has the typed text."""
    del services
    return _matching("game", request, [(CLASSIC, _classic()), *((key, _(pack.name)) for key, pack in load().items())])


async def suggest_editions(request: Request, services: Services) -> list[Suggestion]:
    """Suggest the editions whose key or name has the typed text."""
    del services
    return _matching("edition", request, [(key, _(edition.name)) for key, edition in editions().items()])


def _matching(option: str, request: Request, known: list[tuple[str, str]]) -> list[Suggestion]:
    begun = request.options.get(option, "").casefold().strip()
    found = [(key, name) for key, name in known if begun in f"{key} {name.casefold()}"]
    return [Suggestion(f"{key} → {name}"[:LONGEST_SUGGESTION], key) for key, name in found[:MOST_SUGGESTED]]


# What is changed ----------------------------------------------------------------------------------------


async def _save(values: Mapping[str, str | None], request: Request, services: Services, own: bool) -> Reply:
    before = await _standing(request, services, own)
    services.forget_known_settings(request.place)
    await services.store.set_settings(request.place, values, request.settings_channel if own else "")
    standing = await _standing(request, services, own)
    usual = ENGLISH if request.place == "terminal" else language()
    with speaking(usual if request.in_server else standing.here.language or usual):
        return _changed_page(request, before, standing)


async def _standing(request: Request, services: Services, own: bool) -> Standing:
    """Return the settings that the database has now; those of the request may be old."""
    _check_channel(request, own)
    server, kept = await services.store.settings_with_own(request.place, request.settings_channel)
    channel = legal(kept) if request.settings_channel else {}
    return Standing(PlaceSettings.of(server, channel), PlaceSettings.of(server), channel, own)


def _check_channel(request: Request, own: bool) -> None:
    if own and not request.settings_channel:
        raise UserError(_("Only channels of a server have settings of their own."))


def _check_manages(request: Request) -> None:
    if not request.manages:
        raise UserError(_("You need the Manage Server permission to change the settings."))


# How it stands ------------------------------------------------------------------------------------------


def _changed_page(request: Request, before: Standing, now: Standing) -> Reply:
    """Show every setting, and first those that have changed."""
    page, changes = _page(request, now), []
    for name in settings_of(request, now.changes_own):
        old, new = _form_value(name, before), _form_value(name, now)
        if old != new:
            changes.append(f"`{name}`" if name == ROLE else f"`{name}:{old}` → `{name}:{new}`")
    first = _("**Changed:** {settings}", settings=", ".join(changes)) if changes else _("Nothing has changed.")
    return replace(page, text=f"{first}\n{page.text}")


def _page(request: Request, standing: Standing) -> Reply:
    """Show every setting with what its value does."""
    request = replace(request, place_settings=standing.here)
    names = [name for name in settings_of(request) if not _goes_without_saying(name, request)]
    lines = [_describe(name, request) + _mark_of_own(name, standing) for name in names]
    example = "`/settings channel:True game:2210 show:words`"
    if not standing.changes_own:
        example = "`/settings game:2210 behind:yes show:words`"
    return Reply(
        "\n".join([*_about_channel(request, standing), *lines]),
        note=_("type several at once: {example}", example=example),
        buttons=tuple(_buttons(request, standing)),
        private=True,
    )


def _buttons(request: Request, standing: Standing) -> Iterator[Button]:
    """Yield the buttons of the forms, and those that change between the server and the channel."""
    may, own = request.manages, OWN if standing.changes_own else ""
    for command, (title, _names) in PAGES.items():
        yield Button(_(title), command, enabled=may, argument=own)
    if request.settings_channel and not own:
        yield Button(_("Change for this channel"), OF_CHANNEL, enabled=may)
    elif own:
        yield Button(_("Change for the server"), OF_SERVER, enabled=may)
        yield Button(_("As in the server"), AS_SERVER, enabled=may and bool(standing.own))


def _about_channel(request: Request, standing: Standing) -> Iterator[str]:
    """Say whose settings the page changes, where a channel can have its own."""
    channel = f"<#{request.settings_channel}>"
    if standing.changes_own:
        yield _("**The buttons change only {channel}**; anything without 📍 comes from the server.", channel=channel)
    elif standing.own:
        yield _("**The buttons change the whole server**; 📍 marks what only {channel} has.", channel=channel)
    elif request.settings_channel:
        yield _("**The buttons change the whole server**; {channel} has no settings of its own.", channel=channel)


def _mark_of_own(name: str, standing: Standing) -> str:
    """Return the mark of a setting that the channel has of its own, with that of the server."""
    if name not in standing.own:
        return ""
    value = _typed_value(name, standing.server)
    return f" 📍 {_('Only here; the server has {value}.', value=f'`{name}:{value}`')}"


def _goes_without_saying(name: str, request: Request) -> bool:
    """Return whether a setting needs no line: in direct messages every answer is private."""
    return name == "private" and not request.in_server and not request.place_settings.private


def _describe(name: str, request: Request) -> str:
    """Say what the value of a setting does."""
    chosen = request.place_settings
    if name == "game":
        return _(
            "**Plain numbers like `12 9` mean {game}.** Ships, icon dice or `variant:` in a line mean another game.",
            game=_(load()[chosen.game].name) if chosen.game in load() else _classic(),
        )
    if name == "edition":
        edition = _(editions()[chosen.edition].name)
        return _("**Axis & Allies: {edition}.** Use `variant:` in a line for another edition.", edition=edition)
    if name == "language":
        return _language(request)
    return _role(request) if name == ROLE else _(TEXTS[name, current_value(name, chosen)])


def _classic() -> str:
    return _("classic Risk")


def _language(request: Request) -> str:
    chosen = request.place_settings.language
    if request.place == "terminal":
        return _("**Language: {language}.**", language=LANGUAGES[chosen or ENGLISH])
    if not request.in_server:
        if chosen:
            return _(
                "**Language: {language}.** `/settings language:discord` goes back to the language of your app.",
                language=LANGUAGES[chosen],
            )
        return _(
            "**Language: same as your Discord app.** In DMs I use the language of your last command, "
            "or English. `/settings language:` picks one."
        )
    if chosen:
        return _(
            "**Language: {language}.** Private answers use the reader's own language.",
            language=LANGUAGES[chosen],
        )
    return _("**Language: same as this server on Discord.** Private answers use the reader's own language.")


def _role(request: Request) -> str:
    """Say who may change presets of others. The mention pings nobody; the role of everybody has its server's id."""
    role = request.place_settings.setup_role
    if not role:
        who = _("**Only server managers can change others' presets.**")
    elif request.place == f"guild:{role}":
        who = _("**Everyone can change others' presets.**")
    elif _is_gone(role, request):
        who = _("**Only server managers can change others' presets** (the role you chose was deleted).")
    else:
        who = _("**Server managers and {role} can change others' presets.**", role=f"<@&{role}>")
    how = _("`/settings setup_role:` gives that right to a role, `no_setup_role:True` takes it back.")
    return f"{who} {how}"


def _is_gone(role: str, request: Request) -> bool:
    """Return whether a role was deleted."""
    return request.known_roles is not None and role not in request.known_roles


# The forms ----------------------------------------------------------------------------------------------


def _form_value(name: str, standing: Standing) -> str:
    """Return the value of a setting as a form has it."""
    if standing.changes_own:
        return _typed_value(name, standing.here) if name in standing.own else DEFAULT
    return _typed_value(name, standing.server)


def _typed_value(name: str, chosen: PlaceSettings) -> str:
    """Return the value of a setting as people type it."""
    return current_value(name, chosen) or {"language": AS_DISCORD, ROLE: NO_ROLE}[name]


def _mark(name: str, value: str) -> str:
    """Return a short checksum of a value in a form: a field with another one was changed."""
    return f"{crc32(f'{name}:{value}'.encode()):x}"


def _field(name: str, request: Request, standing: Standing) -> FormField:
    """Return the field of a form for a setting, with its value; Discord refuses a role that was deleted."""
    now = _form_value(name, standing)
    if name == ROLE:
        beside = _("A role, in addition to server managers (optional).")
        role = "" if _is_gone(standing.server.setup_role, request) else standing.server.setup_role
        return FormField(ROLE, _("Who can change others' presets"), role, hint=beside, role=True)
    texts: dict[str, tuple[str, str]] = {
        "game": (_("What plain numbers like 12 9 mean"), _("Ships, icon dice or variant: mean another game.")),
        "edition": (_("Axis & Allies"), _("The edition if a line has no variant:")),
        "behind": (_("Which armies numbers count"), ""),
        "show": (_("What answers show"), ""),
        "private": (_("Who sees answers"), ""),
        "language": (_("Language of answers"), ""),
        "history": (_("Finished battles"), ""),
    }
    label, hint = texts[name]
    choices = [*_choices(name, standing.here if standing.changes_own else standing.server)]
    if standing.changes_own:
        value = _typed_value(name, standing.server)
        said = next((choice.label for choice in choices if choice.value == value), value)
        choices = [Choice(DEFAULT, _("As in the server"), said), *choices[: MOST_CHOICES - 1]]
    return FormField(name, label, now, hint=hint, choices=tuple(choices))


def _choices(name: str, chosen: PlaceSettings) -> Iterator[Choice]:
    if name == "game":
        yield from _games(chosen.game)
    elif name == "edition":
        yield from (Choice(key, _(one.name), _about(one.about)) for key, one in [*editions().items()][:MOST_CHOICES])
    elif name == "behind":
        yield Choice("no", _("Armies that can attack"), _("12 9 is 12 against 9"))
        yield Choice("yes", _("Also the army that stays behind"), _("12 9 is 11 against 9"))
    elif name == "show":
        labels = _("Text and a picture"), _("Text"), _("A picture and one sentence")
        abouts = "", "", _("Live battles still show every die as text")
        yield from map(Choice, SHOWS, labels, abouts)
    elif name == "private":
        yield Choice("no", _("Everyone"), _("private:True shows one only to you"))
        yield Choice(
            "yes", _("Only the person who asks"), _("private:False shows one to everyone; live battles are public")
        )
    elif name == "language":
        yield Choice(AS_DISCORD, _("Same as Discord"))
        yield from (Choice(code, own) for code, own in LANGUAGES.items())
    elif name == "history":
        yield Choice("on", _("Stored"), _("Who played and what was rolled, nothing else"))
        yield Choice("off", _("Not stored"), _("Deleted once the result has been shown; older battles stay"))


def _games(now: str) -> Iterator[Choice]:
    """Return the common games and the one that is chosen now; all others can be typed."""
    packs = load()
    keys = [key for key in dict.fromkeys((*COMMON, *packs)) if key in packs and key != now]
    yield Choice(CLASSIC, _classic())
    for key in [*([now] if now in packs else []), *keys][: MOST_CHOICES - 1]:
        yield Choice(key, _(packs[key].name), _about(packs[key].about))


def _about(text: str) -> str:
    return shorten(_(text), LONGEST_ABOUT, placeholder=" …")
