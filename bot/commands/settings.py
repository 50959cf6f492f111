"""/settings: what a server, or a person in direct messages, decides about the bot there; typed, or with forms."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from textwrap import shorten
from zlib import crc32

from bot.commands.habits import SHOWS, Habits
from bot.commands.request import Request, Services
from bot.commands.settings_typed import AS_DISCORD, NO_ROLE, names_in, standing, typed, understood
from bot.commands.setups import ROLE
from bot.commands.suggest import LONGEST_SUGGESTION, Suggestion
from bot.editions import editions
from bot.errors import UserError
from bot.languages import ENGLISH, LANGUAGES, N_, _, language, speaking
from bot.matchup import CLASSIC
from bot.packs import load
from bot.replies import Button, Choice, Field, Form, Reply

CHANGE = "settings change"
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
"""What it means how a setting stands."""


async def settings(request: Request, services: Services) -> Reply:
    """Change what is given, all of it at once, and tell how everything stands."""
    line = request.options.get("setting", "").strip()
    chosen = {name: text.partition("→")[0] for name, text in request.options.items() if text and name != "setting"}
    if not line and not chosen:
        return _page(await _as_kept(request, services))
    _check_manages(request)
    values = typed(line, request) if line else {name: understood(name, chosen[name], request) for name in chosen}
    return await _changed(values, request, services)


async def change(request: Request, services: Services) -> Reply:
    """The same with what somebody changed in a form: all else stays, which others may have changed meanwhile."""
    _check_manages(request)
    shown = request.argument.split(",")
    filled = {name: text or NO_ROLE * (name == ROLE) for name, text in request.options.items()}
    chosen = {name: text for name, text in filled.items() if _mark(name, text) not in shown}
    return await _changed({name: understood(name, chosen[name], request) for name in chosen}, request, services)


async def form(command: str, request: Request, services: Services) -> Form:
    """One of the forms, with how its settings stand."""
    _check_manages(request)
    request = await _as_kept(request, services)
    title, names = PAGES[command][0], [name for name in PAGES[command][1] if name in names_in(request)]
    shown = ",".join(_mark(name, _filled_in(name, request.habits)) for name in names)
    return Form(_(title), CHANGE, tuple(_field(name, request) for name in names), shown)


FORMS = {command: partial(form, command) for command in PAGES}


async def suggest_games(request: Request, services: Services) -> list[Suggestion]:
    """The games whose key or name has what was typed."""
    del services
    return _suggested("game", request, [(CLASSIC, _classic()), *((key, _(pack.name)) for key, pack in load().items())])


async def suggest_editions(request: Request, services: Services) -> list[Suggestion]:
    """The same of editions."""
    del services
    return _suggested("edition", request, [(key, _(edition.name)) for key, edition in editions().items()])


def _suggested(option: str, request: Request, known: list[tuple[str, str]]) -> list[Suggestion]:
    begun = request.options.get(option, "").casefold().strip()
    found = [(key, name) for key, name in known if begun in f"{key} {name.casefold()}"]
    return [Suggestion(f"{key} → {name}"[:LONGEST_SUGGESTION], key) for key, name in found[:MOST_SUGGESTED]]


# What is changed ----------------------------------------------------------------------------------------


async def _changed(values: Mapping[str, str], request: Request, services: Services) -> Reply:
    services.known.pop(request.place, None)
    await services.store.set_settings(request.place, values)
    request = await _as_kept(request, services)
    usual = ENGLISH if request.place == "terminal" else language()
    with speaking(usual if request.in_server else request.habits.language or usual):
        return _page(request)


async def _as_kept(request: Request, services: Services) -> Request:
    """The request with what the database has now: what it had once would be told, and kept again, as if it were."""
    return replace(request, habits=Habits.of(await services.store.settings(request.place)))


def _check_manages(request: Request) -> None:
    if not request.manages:
        raise UserError(_("You need the Manage Server permission to change the settings."))


# How it stands ------------------------------------------------------------------------------------------


def _page(request: Request) -> Reply:
    """Every setting: how it stands, in words that say what that does."""
    buttons = (Button(_(title), command, enabled=request.manages) for command, (title, _names) in PAGES.items())
    return Reply(
        "\n".join(_told(name, request) for name in names_in(request) if not _goes_without_saying(name, request)),
        note=_("type several at once: {example}", example="`/settings game:2210 behind:yes show:words`"),
        buttons=tuple(buttons),
        private=True,
    )


def _goes_without_saying(name: str, request: Request) -> bool:
    """Whether a setting is not worth a line: in direct messages nobody else sees anything anyway."""
    return name == "private" and not request.in_server and not request.habits.private


def _told(name: str, request: Request) -> str:
    """How a setting stands, and what that means."""
    habits = request.habits
    if name == "game":
        return _(
            "**Plain numbers like `12 9` mean {game}.** Ships, icon dice or `variant:` in a line mean another game.",
            game=_(load()[habits.game].name) if habits.game in load() else _classic(),
        )
    if name == "edition":
        edition = _(editions()[habits.edition].name)
        return _("**Axis & Allies: {edition}.** Use `variant:` in a line for another edition.", edition=edition)
    if name == "language":
        return _language(request)
    return _role(request) if name == ROLE else _(TEXTS[name, standing(name, habits)])


def _classic() -> str:
    return _("classic Risk")


def _language(request: Request) -> str:
    chosen = request.habits.language
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
    """Who may change set-ups of others. A role's name here calls nobody; everybody's has the number of its server."""
    role = request.habits.setup_role
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
    """Whether a role was deleted."""
    return request.known_roles is not None and role not in request.known_roles


# The forms ----------------------------------------------------------------------------------------------


def _filled_in(name: str, habits: Habits) -> str:
    """How a setting stands, as a form has it."""
    return standing(name, habits) or {"language": AS_DISCORD, ROLE: NO_ROLE}[name]


def _mark(name: str, value: str) -> str:
    """A few letters for what a form shows of a setting: what is sent back with others was changed in the form."""
    return f"{crc32(f'{name}:{value}'.encode()):x}"


def _field(name: str, request: Request) -> Field:
    """The field of a form for a setting, filled in with how that stands; Discord refuses a role that is no more."""
    now = _filled_in(name, request.habits)
    if name == ROLE:
        beside = _("A role, in addition to server managers (optional).")
        role = "" if _is_gone(request.habits.setup_role, request) else request.habits.setup_role
        return Field(ROLE, _("Who can change others' presets"), role, hint=beside, role=True)
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
    return Field(name, label, now, hint=hint, choices=tuple(_choices(name, request.habits)))


def _choices(name: str, habits: Habits) -> Iterator[Choice]:
    if name == "game":
        yield from _games(habits.game)
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
    """The usual games and the one that holds now; all others can be typed."""
    packs = load()
    keys = [key for key in dict.fromkeys((*COMMON, *packs)) if key in packs and key != now]
    yield Choice(CLASSIC, _classic())
    for key in [*([now] if now in packs else []), *keys][: MOST_CHOICES - 1]:
        yield Choice(key, _(packs[key].name), _about(packs[key].about))


def _about(text: str) -> str:
    return shorten(_(text), LONGEST_ABOUT, placeholder=" …")
