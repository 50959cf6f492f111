"""/settings: shows and changes the settings of a server, a channel or a person; typed or with forms."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple
from zlib import crc32

from bot.autocomplete import LONGEST_SUGGESTION, Suggestion
from bot.commands.command import Option
from bot.commands.typed_settings import NO_ROLE_OPTION, parse_settings, parse_value, settings_of, split_scope, where
from bot.errors import UserError
from bot.languages import ENGLISH, N_, _, language, speaking
from bot.place_settings import ROLE, SETTINGS, PlaceSettings, legal, personal
from bot.replies import Button, Choice, Form, FormField, Reply
from bot.request import TERMINAL, Request, Services
from bot.setting_kinds import (
    CHANNEL,
    DEFAULT,
    MINE,
    MOST_CHOICES,
    NO_ROLE,
    SCOPES,
    Named,
    Role,
    Scope,
    is_gone,
)
from bot.store.records import personal_place

CHANGES: Mapping[Scope, str] = {"": "settings change", CHANNEL: "settings change channel", MINE: "settings change mine"}
"""The commands of forms, by whose settings these change."""
TURNS: Mapping[Scope, str] = {"": "settings server", CHANNEL: "settings channel", MINE: "settings mine"}
"""The commands of buttons that show the settings of the server, the channel, or the person."""
AS_SERVER = "settings as server"
MOST_SUGGESTED = 25
PAGES = {"settings games": N_("Games"), "settings answers": N_("Answers"), "settings records": N_("Records")}
"""The buttons under the page, by the forms they open."""


class Standing(NamedTuple):
    """The settings as the database has them: those that count here, those without the own ones, and the own ones.

    `scope` says whose are changed. `own` are the person's then if they are theirs, else those of the channel.
    """

    here: PlaceSettings
    server: PlaceSettings
    own: Mapping[str, str]
    scope: Scope


async def settings(request: Request, services: Services) -> Reply:
    """Change the settings that the request gives, all at once, and show all settings."""
    line, scope = split_scope(request.options.get("setting", ""))
    others = {name: text for name, text in request.options.items() if text and name not in ("setting", CHANNEL, MINE)}
    chosen = {name: text.partition("→")[0] for name, text in others.items()}
    scope = scope or (MINE if request.options.get(MINE) else CHANNEL if request.options.get(CHANNEL) else "")
    if not line and not chosen:
        return _page(request, await _standing(request, services, scope))
    _check_manages(request, scope)
    if scope and line.casefold() == DEFAULT:
        return await forget_own(replace(request, argument=scope), services)
    if line:
        return await _save(parse_settings(line, request, scope), request, services, scope)
    values = {name.removeprefix("no_"): parse_value(name, chosen[name], request, scope) for name in chosen}
    return await _save(values, request, services, scope)


async def change(scope: Scope, request: Request, services: Services) -> Reply:
    """Change the fields that somebody changed in a form; the others stay, even if they have another value by now."""
    _check_manages(request, scope)
    shown = request.argument.split(",")
    filled = {name: text or NO_ROLE * (name == ROLE) for name, text in request.options.items()}
    chosen = {name: text for name, text in filled.items() if _mark(name, text) not in shown}
    values = {name: parse_value(name, chosen[name], request, scope) for name in chosen}
    return await _save(values, request, services, scope)


async def form(command: str, request: Request, services: Services) -> Form:
    """Ask for some of the settings with a form, filled in with their values."""
    scope: Scope = next((known for known in SCOPES if known == request.argument), "")
    _check_manages(request, scope)
    standing, title = await _standing(request, services, scope), _(PAGES[command])
    names = [name for name in settings_of(request, scope) if command == f"settings {SETTINGS[name].page}"]
    shown = ",".join(_mark(name, _form_value(name, standing)) for name in names)
    fields = tuple(_field(name, request, standing) for name in names)
    titles: Mapping[Scope, str] = {CHANNEL: N_("{title} in this channel"), MINE: N_("{title} to you")}
    return Form(_(titles[scope], title=title) if scope else title, CHANGES[scope], fields, shown)


async def turn(scope: Scope, request: Request, services: Services) -> Reply:
    """Show the page whose buttons change the settings of the server, of the channel, or of the person."""
    if scope:
        _check_manages(request, scope)
    return _page(request, await _standing(request, services, scope))


async def forget_own(request: Request, services: Services) -> Reply:
    """Forget the settings that the channel has of its own, or the person."""
    scope: Scope = MINE if request.argument == MINE else CHANNEL
    _check_manages(request, scope)
    before = await _standing(request, services, scope)
    place, channel = _place_of(request, scope)
    services.forget_known_settings(_owner(request, scope))
    await services.store.forget_settings(place, channel)
    return _changed_page(request, before, await _standing(request, services, scope))


async def suggest_variants(option: str, request: Request, services: Services) -> list[Suggestion]:
    """Suggest the games, or the editions, whose key or name has the typed text, or what follows its last comma."""
    del services
    setting, typed = SETTINGS[option], request.options.get(option, "").casefold().strip()
    assert isinstance(setting, Named), option
    before, comma, begun = (part.strip() for part in typed.rpartition(","))
    matching = (value for value in setting.values() if begun in f"{value.stored} {_(value.label).casefold()}")
    values = filter(None, (setting.find(f"{before}{comma}{value.stored}") for value in matching))
    rows = {value.stored: _(value.label) for value in values}
    return [Suggestion(f"{key} → {name}"[:LONGEST_SUGGESTION], key) for key, name in rows.items()][:MOST_SUGGESTED]


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
    yield Option(CHANNEL, N_("Change only this channel or forum, not the whole server"), "flag")
    yield Option(MINE, N_("What you choose for yourself, on every server: private, show, language, pings"), "flag")


# What is changed ----------------------------------------------------------------------------------------


async def _save(values: Mapping[str, str | None], request: Request, services: Services, scope: Scope) -> Reply:
    before = await _standing(request, services, scope)
    place, channel = _place_of(request, scope)
    services.forget_known_settings(_owner(request, scope))
    await services.store.set_settings(place, values, channel)
    standing = await _standing(request, services, scope)
    usual = ENGLISH if request.place == TERMINAL else language()
    for_all = request.in_server and scope != MINE
    with speaking(usual if for_all else standing.here.language or usual):
        return _changed_page(request, before, standing)


def _place_of(request: Request, scope: Scope) -> tuple[str, str]:
    """Return the place and the channel under which settings are stored."""
    if scope == MINE:
        return personal_place(request.user), ""
    return request.place, request.settings_channel if scope else ""


def _owner(request: Request, scope: Scope) -> str:
    """Return whose settings change, the place or the person."""
    return f"user:{request.user}" if scope == MINE else request.place


async def _standing(request: Request, services: Services, scope: Scope) -> Standing:
    """Return the settings that the database has now; those of the request may be old."""
    if scope == CHANNEL and not request.settings_channel:
        raise UserError(_("Only channels of a server have settings of their own."))
    if scope == MINE and request.place == TERMINAL:
        raise UserError(_("In a terminal all settings are your own; leave out `mine`."))
    server, stored, mine = await services.store.settings_with_own(request.place, request.settings_channel, request.user)
    channel = legal(stored)
    if scope == MINE:
        usual = PlaceSettings.of(server, channel)
        return Standing(PlaceSettings.of(server, channel, own := personal(mine)), usual, own, scope)
    return Standing(PlaceSettings.of(server, channel), PlaceSettings.of(server), channel, scope)


def _check_manages(request: Request, scope: Scope) -> None:
    if not request.manages and scope != MINE:
        raise UserError(
            _("You need the Manage Server permission to change these settings. `mine:True` changes your own.")
        )


# How it stands ------------------------------------------------------------------------------------------


def _changed_page(request: Request, before: Standing, now: Standing) -> Reply:
    """Show every setting, and first those that have changed."""
    page, changes = _page(request, now), []
    for name in settings_of(request, now.scope):
        old, new = _form_value(name, before), _form_value(name, now)
        if old != new:
            changes.append(f"`{name}`" if name == ROLE else f"`{name}:{old}` → `{name}:{new}`")
    first = _("**Changed:** {settings}", settings=", ".join(changes)) if changes else _("Nothing has changed.")
    return replace(page, text=f"{first}\n{page.text}")


def _page(request: Request, standing: Standing) -> Reply:
    """Show every setting with what its value does."""
    request, scope = replace(request, place_settings=standing.here), standing.scope
    all_private = not (request.in_server or request.place_settings.private)  # every answer in direct messages is
    names = settings_of(request, MINE if scope == MINE else "")
    names = [name for name in names if scope == MINE or not (all_private and SETTINGS[name].hides_answers)]
    lines = [_describe(name, request, standing) + _mark_of_own(name, standing) for name in names]
    examples: Mapping[Scope, str] = {
        "": "`/settings game:2210 behind:yes show:words`",
        CHANNEL: "`/settings channel:True game:2210 show:words`",
        MINE: "`/settings mine:True private:True show:words`",
    }
    return Reply(
        "\n".join([*_about_scope(request, standing), *lines]),
        note=_("type several at once: {example}", example=examples[scope]),
        buttons=tuple(_buttons(request, standing)),
        private=True,
    )


def _buttons(request: Request, standing: Standing) -> Iterator[Button]:
    """Yield the buttons of the forms, and those that change between the server, the channel and the person."""
    scope, own = standing.scope, bool(standing.own)
    may = request.manages or scope == MINE
    pages = {f"settings {SETTINGS[name].page}" for name in settings_of(request, scope)}
    for command, title in PAGES.items():
        if command in pages:
            yield Button(_(title), command, enabled=may, argument=scope)
    if request.settings_channel and not scope:
        yield Button(_("Change for this channel"), TURNS[CHANNEL], enabled=may)
    elif scope == CHANNEL:
        yield Button(_("Change for the server"), TURNS[""], enabled=may)
        yield Button(_("As in the server"), AS_SERVER, enabled=may and own)
    if scope == MINE:
        yield Button(_("As usual here"), AS_SERVER, enabled=own, argument=MINE)
        yield Button(_("All settings"), TURNS[""])
    elif request.place != TERMINAL:
        yield Button(_("My own settings"), TURNS[MINE])


def _about_scope(request: Request, standing: Standing) -> Iterator[str]:
    """Say whose settings the page changes, where there are others."""
    channel = f"<#{request.settings_channel}>"
    if standing.scope == MINE:
        yield _("**These choices are yours alone and count for your answers everywhere**; 👤 marks what you chose.")
    elif standing.scope == CHANNEL:
        yield _("**The buttons change only {channel}**; anything without 📍 comes from the server.", channel=channel)
    elif standing.own:
        yield _("**The buttons change the whole server**; 📍 marks what only {channel} has.", channel=channel)
    elif request.settings_channel:
        yield _("**The buttons change the whole server**; {channel} has no settings of its own.", channel=channel)


def _mark_of_own(name: str, standing: Standing) -> str:
    """Return the mark of a setting that the channel has of its own, with that of the server."""
    if name not in standing.own:
        return ""
    value = f"`{name}:{_typed_value(name, standing.server)}`"
    if standing.scope == MINE:
        return f" 👤 {_('Without your choice: {value}.', value=value)}"
    return f" 📍 {_('Only here; the server has {value}.', value=value)}"


def _describe(name: str, request: Request, standing: Standing) -> str:
    """Say what the value of a setting does."""
    setting, chosen_by_person = SETTINGS[name], standing.scope == MINE and name in standing.own
    return setting.describe(standing.here.value_of(setting), where(request, MINE if chosen_by_person else ""))


# The forms ----------------------------------------------------------------------------------------------


def _form_value(name: str, standing: Standing) -> str:
    """Return the value of a setting as a form has it."""
    if standing.scope:
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
    shown = standing.here if standing.scope else standing.server
    choices = [*setting.choices(shown.value_of(setting))]
    if standing.scope:
        value = _typed_value(name, standing.server)
        label_there = next((choice.label for choice in choices if choice.value == value), value)
        usual = _("As usual here") if standing.scope == MINE else _("As in the server")
        choices = [Choice(DEFAULT, usual, label_there), *choices[: MOST_CHOICES - 1]]
    return FormField(name, label, now, hint=hint, choices=tuple(choices))
