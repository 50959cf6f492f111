"""/settings: shows and changes the settings of a server, a channel, or a person alone; typed or with forms."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Literal, NamedTuple
from zlib import crc32

from bot.autocomplete import LONGEST_SUGGESTION, Suggestion
from bot.commands.command import Option
from bot.errors import UserError
from bot.languages import ENGLISH, N_, _, compose, language, speaking
from bot.notation.mistakes import unknown_word_hint
from bot.place_settings import ROLE, SETTINGS, PlaceSettings, legal
from bot.replies import Button, Choice, Form, FormField, Reply
from bot.request import Request, Services
from bot.setting_kinds import (
    AS_DISCORD,
    DEFAULT,
    MARKS,
    MOST_CHOICES,
    NO_ROLE,
    WORD,
    YES,
    Named,
    Role,
    Where,
    is_gone,
    plain,
)

CHANGE, CHANGE_OWN = "settings change", "settings change channel"
OF_SERVER, OF_CHANNEL, AS_SERVER = "settings server", "settings channel", "settings as server"
OWN = "channel"
"""The option, and the argument of a button, by which the settings are those that a channel has of its own."""
MOST_SUGGESTED = 25
PAGES = {"settings games": N_("Games"), "settings answers": N_("Answers"), "settings records": N_("Records")}
"""The buttons under the page, by the forms they open."""
NO_ROLE_OPTION = f"no_{ROLE}"
CHANNEL_WORD = re.compile(r'(?<![^\s,;`"])channel(\s*[:=]\s*(yes|true|on))?(?![^\s,;`"])', re.IGNORECASE)
"""The word that says that the settings of a line are for a channel alone."""
MOST_WORDS = 12
"""The most words in the name of a game."""
LONGEST_WORD = 40


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
    values = {name.removeprefix("no_"): parse_value(name, chosen[name], request, own) for name in chosen}
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
    standing, title = await _standing(request, services, own), PAGES[command]
    names = [name for name in settings_of(request, own) if command == f"settings {SETTINGS[name].page}"]
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


async def suggest_variants(option: str, request: Request, services: Services) -> list[Suggestion]:
    """Suggest the games, or the editions, whose key or name has the typed text."""
    del services
    setting, begun = SETTINGS[option], request.options.get(option, "").casefold().strip()
    assert isinstance(setting, Named), option
    names = {value.stored: _(value.label) for value in setting.values()}
    matching = [(key, name) for key, name in names.items() if begun in f"{key} {name.casefold()}"]
    return [Suggestion(f"{key} → {name}"[:LONGEST_SUGGESTION], key) for key, name in matching[:MOST_SUGGESTED]]


def slash_options() -> Iterator[Option]:
    """Yield the options of `/settings`: those of each setting, and the one for a channel alone."""
    for name, setting in SETTINGS.items():
        if isinstance(setting, Role):
            yield Option(name, setting.about, "role")
            yield Option(NO_ROLE_OPTION, N_("Remove the preset role"), "flag")
        elif isinstance(setting, Named):
            yield Option(name, setting.about, suggests=partial(suggest_variants, name))
        else:
            kind: Literal["text", "yes or no"] = "text" if setting.slash_choices else "yes or no"
            yield Option(name, setting.about, kind, choices=setting.slash_choices)
    yield Option(OWN, N_("Change only this channel or forum, not the whole server"), "flag")


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
    server, stored = await services.store.settings_with_own(request.place, request.settings_channel)
    channel = legal(stored) if request.settings_channel else {}
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
    all_private = not (request.in_server or request.place_settings.private)  # every answer in direct messages is
    names = [name for name in settings_of(request) if not (all_private and SETTINGS[name].hides_answers)]
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
    for command, title in PAGES.items():
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


def _describe(name: str, request: Request) -> str:
    """Say what the value of a setting does."""
    setting = SETTINGS[name]
    return setting.describe(request.place_settings.value_of(setting), where(request))


# The forms ----------------------------------------------------------------------------------------------


def _form_value(name: str, standing: Standing) -> str:
    """Return the value of a setting as a form has it."""
    if standing.changes_own:
        return _typed_value(name, standing.here) if name in standing.own else DEFAULT
    return _typed_value(name, standing.server)


def _typed_value(name: str, chosen: PlaceSettings) -> str:
    """Return the value of a setting as people type it."""
    return SETTINGS[name].as_typed(chosen.value_of(SETTINGS[name]))


def _mark(name: str, value: str) -> str:
    """Return a short checksum of a value in a form: a field with another one was changed."""
    return f"{crc32(f'{name}:{value}'.encode()):x}"


def _field(name: str, request: Request, standing: Standing) -> FormField:
    """Return the field of a form for a setting, with its value; Discord refuses a role that was deleted."""
    now, setting = _form_value(name, standing), SETTINGS[name]
    label, hint = _(setting.label), _(setting.hint) if setting.hint else ""
    if isinstance(setting, Role):
        role = standing.server.setup_role
        return FormField(name, label, "" if is_gone(role, where(request)) else role, hint=hint, role=True)
    shown = standing.here if standing.changes_own else standing.server
    choices = [*setting.choices(shown.value_of(setting))]
    if standing.changes_own:
        value = _typed_value(name, standing.server)
        label_there = next((choice.label for choice in choices if choice.value == value), value)
        choices = [Choice(DEFAULT, _("As in the server"), label_there), *choices[: MOST_CHOICES - 1]]
    return FormField(name, label, now, hint=hint, choices=tuple(choices))


def split_channel(text: str) -> tuple[str, bool]:
    """Return a line without the word `channel`, and whether it had it."""
    rest, times = CHANNEL_WORD.subn(" ", text)
    return rest.strip(), times > 0


def parse_settings(text: str, request: Request, own: bool = False) -> dict[str, str | None]:
    """Parse a line such as "history off, game:2210", or only "off"; UserError for any other word.

    `own` is as in `parse_value`.
    """
    words = WORD.findall(text)
    if text.casefold() in ("on", "off"):
        words = ["history", *words]
    values: dict[str, str | None] = {}
    while words:
        name, *words = _checked_name(words[0], request, own), *words[1:]
        marked = bool(words) and words[0] in MARKS
        words = words[marked:]
        length = _length(name, words, request)
        value_text = " ".join(words[:length]) or (AS_DISCORD if marked and name == "language" else "")
        value, words = parse_value(name, value_text, request, own), words[length:]
        if name.removeprefix("no_") in values:
            raise UserError(_("`{name}` is there twice.", name=name))
        values[name.removeprefix("no_")] = value
    return values


def parse_value(name: str, text: str, request: Request, own: bool = False) -> str | None:
    """Parse the value of one setting; UserError if it has no such value.

    With `own` the setting is a channel's, and None is that of the server.
    """
    value = _stored_value(_checked_name(name, request, own), text)
    if own and plain(text) == DEFAULT:
        return None
    if value is None:
        raise UserError(SETTINGS[name.removeprefix("no_")].refusal(plain(text)))
    return value


def where(request: Request) -> Where:
    """Return the place of a request, and its roles."""
    return Where(request.place, request.known_roles)


def settings_of(request: Request, own: bool = False) -> list[str]:
    """Return the settings of a place, or with `own` those that a channel has of its own."""
    return [name for name, setting in SETTINGS.items() if setting.exists(where(request), own)]


def _checked_name(word: str, request: Request, own: bool) -> str:
    """Return the setting of that name; UserError if there is none."""
    name, names = word.casefold(), settings_of(request, own)
    if name in (ROLE, NO_ROLE_OPTION) and own:
        raise UserError(_("Presets belong to the whole server, so a channel has no `setup_role` of its own."))
    if name in (ROLE, NO_ROLE_OPTION) and not request.in_server:
        raise UserError(_("Roles exist only on servers; here your presets are your own."))
    if name in (*names, NO_ROLE_OPTION):
        return name
    near = get_close_matches(name, names, n=1)
    if near:
        raise UserError(unknown_word_hint(word[:LONGEST_WORD], near[0]))
    hint = _(
        "The settings are {names}. `default` resets one, as in `language:default`.",
        names=", ".join(f"`{name}`" for name in names),
    )
    raise UserError(compose("{what} {hint}", what=_("I don't know `{word}`.", word=word[:LONGEST_WORD]), hint=hint))


def _length(name: str, words: list[str], request: Request) -> int:
    """Count the words after a setting that belong to it: the most that have a meaning, else all before the next one."""
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        if _stored_value(name, " ".join(words[:length])) is not None:
            return length
    names = *settings_of(request), NO_ROLE_OPTION
    return next((at for at, word in enumerate(words) if word.casefold() in names), len(words))


def _stored_value(name: str, text: str) -> str | None:
    """Return the stored value for a typed or chosen one; None if it has no meaning."""
    if name == NO_ROLE_OPTION:
        return "" if plain(text) in (*YES, "true") else None
    return SETTINGS[name].parse(text)
