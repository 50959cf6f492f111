"""The settings of a place: what a server, a channel, or a person in direct messages chose; answers adapted to it.

A setting is a field of `PlaceSettings` and a row of `SETTINGS`; the code that follows it reads the field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

from bot.editions import USUAL, editions
from bot.games.base import Rooms
from bot.languages import LANGUAGES, N_, _
from bot.notation.defaults import PLAIN, NotationDefaults
from bot.notation.dice_options import CLASSIC
from bot.notation.old_lines import explicit
from bot.packs import STACKED, find, load
from bot.replies import Form, Picture, Reply
from bot.setting_kinds import AS_DISCORD, MINE, NO_ROLE, YES, Language, Named, Role, Setting, Value, Where, yes_or_no


class PlaceSettings(NamedTuple):
    """The settings of a place or of a channel there, under the names that the database has for them.

    `game` and `edition` are what lines mean that say neither, `behind` whether their numbers count the army that stays
    behind. `show` is "both", "words" or "pictures", `private` whether answers are for those alone who ask, `setup_role`
    the id of a role whose members may change set-ups of others, `history` whether battles are kept, `open`
    whether everybody may press in them, `wait` after how many hours the other player may go on, `language` what is
    spoken; "" is nothing that was chosen. `pings` says whether a person is mentioned as an opponent. `mine` is what the
    person who asks has chosen for themselves, as the database has it.
    """

    game: str = CLASSIC
    edition: str = USUAL
    behind: bool = False
    show: str = "both"
    private: bool = False
    setup_role: str = ""
    history: bool = True
    open: bool = False
    wait: str = "24"
    language: str = ""
    pings: bool = True
    mine: Mapping[str, str] = {}

    @classmethod
    def of(cls, *stored: Mapping[str, str]) -> Self:
        """Return the settings that the database has; those of a server come first, and its channel's go over them."""
        return cls()._with({name: text for texts in stored for name, text in legal(texts).items()})

    def for_person(self) -> Self:
        """Return the settings of answers to the person who asks: their own choices go over those of the place."""
        return self._with(self.mine)

    def _with(self, chosen: Mapping[str, str]) -> Self:
        values: dict[str, Any] = {**chosen}
        flags = {name: text in YES for name, text in chosen.items() if isinstance(getattr(self, name), bool)}
        return self._replace(**values | flags)

    def value_of(self, setting: Setting) -> str:
        """Return the value of a setting as the database has it."""
        chosen: str | bool = getattr(self, setting.name)
        if isinstance(chosen, str):
            return chosen
        return next(value.stored for value in setting.values() if (value.stored in YES) is chosen)

    @property
    def line_defaults(self) -> NotationDefaults:
        """The defaults for lines that are typed here."""
        return NotationDefaults(self.game, self.edition, int(self.behind))


COMMON = (
    *("starwars", "2210", "2210-two", "2210-three", "blitz", "blitz-capital", "capital-city", "wall", "castle"),
    *("general", "marshal", "risiko", "lotr-leader", "lotr-stronghold", "war-god", "magic-goddess", "zombies-attack"),
    *("halo-hero", "late-defence", "d8", "dice-4v3", "dice-2v2", "coin", "battle-dice"),
)
"""The games that a form offers first."""


LONGEST_STACK = 100
"""The most letters of the names of variants together: Discord takes no longer choice."""


def _games() -> Sequence[Value]:
    classic = Value(CLASSIC, GAME, N_("classic Risk"), names=(N_("classic Risk"), N_("Risk"), CLASSIC))
    return [classic, *_variant_values(GAME, load())]


def _games_together(names: str) -> Value | None:
    """Return the value of several variants with commas between them; BattleError if they can't stand together."""
    pack = find(names)
    fits = pack is not None and len(pack.key) <= LONGEST_STACK
    return Value(pack.key, GAME, STACKED.join(_(name) for name in pack.names)) if pack and fits else None


def _variant_values(effect: str, variants: Mapping[str, Any]) -> list[Value]:
    """Return the values of a setting that chooses one of these games or editions."""
    return [Value(key, effect, rules.name, rules.about, (rules.name, key)) for key, rules in variants.items()]


def _languages() -> list[Value]:
    same = Value("", "", N_("Same as Discord"), names=(AS_DISCORD, "as Discord says", N_("Same as Discord")))
    return [same, *(Value(code, "", own, names=(own,)) for code, own in LANGUAGES.items())]


GAME = N_("**Plain numbers like `12 9` mean {game}.** Ships, icon dice or `variant:` in a line mean another game.")
EDITION = N_("**Axis & Allies: {edition}.** Use `variant:` in a line for another edition.")
WAIT = N_("**How long a live battle waits for a player: {wait}.** After that the other player can go on.")
WAITS = (
    Value("1", WAIT, N_("1 hour")),
    Value("6", WAIT, N_("6 hours")),
    Value("12", WAIT, N_("12 hours")),
    Value("24", WAIT, N_("1 day")),
    Value("72", WAIT, N_("3 days")),
    Value("168", WAIT, N_("1 week")),
)
ANYBODY = Where("", scope=MINE)
"""Where a person chooses for themselves."""
ROLE = "setup_role"
"""The setting with the id of the role whose members may change presets of others."""
SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Named(
            name="game",
            page="games",
            about=N_("What plain numbers mean: classic, or a variant"),
            label=N_("What plain numbers like 12 9 mean"),
            hint=N_("Ships, icon dice or variant: mean another game."),
            values=_games,
            usual=CLASSIC,
            which=N_("Which game? For example `game:2210` or `game:classic`; `/help variants` lists them."),
            common=COMMON,
            together=_games_together,
        ),
        Named(
            name="edition",
            page="games",
            about=N_("The default edition of Axis & Allies"),
            label=N_("Axis & Allies"),
            hint=N_("The edition if a line has no variant:"),
            values=lambda: _variant_values(EDITION, editions()),
            usual=USUAL,
            which=N_("Which edition? For example `edition:1940` or `edition:1942`; `/help axis` lists them."),
        ),
        Setting(
            name="behind",
            page="games",
            about=N_("Numbers include the army that stays behind: then 12 9 is 11 against 9"),
            label=N_("Which armies numbers count"),
            values=yes_or_no(
                Value(
                    "no",
                    N_("**`12 9` means 12 armies that can attack.** Don't count the one you leave behind."),
                    N_("Armies that can attack"),
                    N_("12 9 is 12 against 9"),
                ),
                Value(
                    "yes",
                    N_("**`12 9` means 12 armies, and one stays behind**: 11 can attack."),
                    N_("Also the army that stays behind"),
                    N_("12 9 is 11 against 9"),
                ),
            ),
        ),
        Setting(
            name="show",
            page="answers",
            personal=True,
            about=N_("Show text, pictures or both (live battles always have text)"),
            label=N_("What answers show"),
            wrong=N_("For `show`, use `both`, `words` or `pictures`."),
            values=lambda: (
                Value("both", N_("**Answers have text and a picture.**"), N_("Text and a picture")),
                Value("words", N_("**Answers are text only**, without a picture."), N_("Text")),
                Value(
                    "pictures",
                    N_("**Answers are a picture** and one sentence. Live battles still show every die as text."),
                    N_("A picture and one sentence"),
                    N_("Live battles still show every die as text"),
                ),
            ),
        ),
        Setting(
            name="private",
            page="answers",
            about=N_("Show answers only to the person who asked (not live battles)"),
            label=N_("Who sees answers"),
            hides_answers=True,
            personal=True,
            values=yes_or_no(
                Value(
                    "no",
                    N_("**Everyone sees the answers**; use `private:True` for an answer only you see."),
                    N_("Everyone"),
                    N_("private:True shows one only to you"),
                ),
                Value(
                    "yes",
                    N_(
                        "**Only the person who asks sees the answer**; use `private:False` to show one to everyone. "
                        "Live battles and replies to messages are still public."
                    ),
                    N_("Only the person who asks"),
                    N_("private:False shows one to everyone; live battles are public"),
                ),
            ),
        ),
        Role(
            name=ROLE,
            page="records",
            about=N_("A role that can change everyone's presets"),
            label=N_("Who can change others' presets"),
            hint=N_("A role, in addition to server managers (optional)."),
            servers_only=True,
            nothing=NO_ROLE,
            wrong=N_("For `setup_role`, give a role of this server or `none`."),
        ),
        Setting(
            name="history",
            page="records",
            about=N_("Store finished battles for /history and /luck"),
            label=N_("Finished battles"),
            wrong=N_("For `history`, use `on` or `off`."),
            values=yes_or_no(
                Value(
                    "on",
                    N_(
                        "**History is on**: I store who played and what was rolled, nothing else. Change it with "
                        "`/settings history:off` or `on`."
                    ),
                    N_("Stored"),
                    N_("Who played and what was rolled, nothing else"),
                ),
                Value(
                    "off",
                    N_(
                        "**History is off**: I delete a battle once its result has been shown; older battles stay. "
                        "Change it with `/settings history:off` or `on`."
                    ),
                    N_("Not stored"),
                    N_("Deleted once the result has been shown; older battles stay"),
                ),
            ),
        ),
        Setting(
            name="open",
            page="records",
            for_several=True,
            about=N_("Live battles where everybody can press, or only the players"),
            label=N_("Who presses in live battles"),
            values=yes_or_no(
                Value(
                    "no",
                    N_("**In live battles only the players press**; `open:True` on `/roll` lets everyone press."),
                    N_("The players"),
                    N_("open:True on /roll lets everyone press"),
                ),
                Value(
                    "yes",
                    N_("**In live battles everyone can press**; `open:False` on `/roll` leaves it to the players."),
                    N_("Everyone"),
                    N_("open:False on /roll leaves it to the players"),
                ),
            ),
        ),
        Setting(
            name="wait",
            page="records",
            for_several=True,
            about=N_("How long a live battle waits for a player, in hours"),
            label=N_("How long live battles wait for a player"),
            hint=N_("After that the other player can go on."),
            usual="24",
            wrong=N_("For `wait`, use one of these numbers of hours: {codes}."),
            values=lambda: WAITS,
        ),
        Language(
            name="language",
            page="answers",
            about=N_("The language of answers"),
            label=N_("Language of answers"),
            personal=True,
            values=_languages,
            nothing=AS_DISCORD,
            wrong=N_("For `language`, use one of {codes}."),
        ),
        Setting(
            name="pings",
            page="answers",
            only_personal=True,
            about=N_("Ping you when somebody names you as the opponent (only with mine:True)"),
            label=N_("If somebody names you as the opponent"),
            values=yes_or_no(
                Value("yes", N_("**I ping you once** when somebody names you as the opponent."), N_("Ping me once")),
                Value("no", N_("**I don't ping you** when somebody names you as the opponent."), N_("Don't ping me")),
            ),
        ),
    )
}
"""Every setting, in the order in which Discord, the page and the documents have them."""


def legal(stored: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that count of those in the database: values that are no longer known were never chosen."""
    return {name: text for name, text in stored.items() if name in SETTINGS and SETTINGS[name].is_legal(text)}


def personal(stored: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that people have of their own: those that count, and that people choose for themselves."""
    return {name: text for name, text in legal(stored).items() if SETTINGS[name].exists(ANYBODY)}


def adapt_to_place(rooms: Rooms, answer: Reply | Form, chosen: PlaceSettings) -> Reply | Form:
    """Return the answer with a picture, words or both as the place wants, and a line that means the same there."""
    defaults = chosen.line_defaults
    if isinstance(answer, Form):
        fields = (
            replace(field, value=explicit(rooms, field.value, defaults)) if field.option == "matchup" else field
            for field in answer.fields
        )
        return replace(answer, fields=tuple(fields))
    if chosen.show == "words":
        answer = replace(answer, picture=None)
    elif chosen.show == "pictures" and answer.picture and not answer.frame:
        answer = _beside(answer, answer.picture)
    if not answer.line or defaults == PLAIN:
        return answer
    return replace(answer, line=explicit(rooms, answer.line, defaults))


def _beside(answer: Reply, picture: Picture) -> Reply:
    """Return the answer without the facts and the table that its picture repeats."""
    facts = tuple(fact for fact in answer.facts if fact in picture.beside)
    return replace(answer, facts=facts, table=() if picture.table else answer.table)
