"""Lines of Axis & Allies: "3 inf 2 arm 3 fig vs 5 inf 1 aa rounds:2", to the battle they mean.

Units come with their number, in any words an edition knows; options that belong to a side stand on its side of "vs", or
have a d in front for the defender; those of the whole battle stand anywhere.
"""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bot.editions import USUAL, Edition, editions, names_a_unit, only_a_unit
from bot.matchup.mistakes import MatchupError
from solver import BattleError
from solver.axis import AxisBattle, Retreat, Side
from solver.units import Theatre

ARMIES = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa"
NUMBER = r"[+-]?\d+(?:[.,]\d+)?"
_COUNTED = re.compile(r"(\d+) ?([a-z][a-z_]*)")


class Said(NamedTuple):
    """One thing the line says, and where; `kept` if it comes from a saved set-up."""

    value: Any
    start: int
    end: int
    kept: bool = False


class Word(NamedTuple):
    """What may follow the name of an option: its form, how that is read, and how to say it; a `flag` stands alone."""

    form: str
    read: Callable[[str], Any]
    wanted: str
    sided: bool = False
    flag: bool = False


def _number(text: str) -> float:
    number = round(float(text.replace(",", ".")), 6)
    return int(number) if number.is_integer() else number


_CHANCE = r"\d+(?:\.\d+)? ?%?"
RULE = rf"(?:units ?<=? ?\d+|profit ?< ?{NUMBER}|(?:win|destroy) ?< ?{_CHANCE}|(?:air|clear) ?> ?{_CHANCE})"
_LIST = r"[a-z_]+(?: ?, ?[a-z_]+)*"
_YES = Word(r"yes|no|on|off|true|false", lambda text: text in ("yes", "on", "true"), "yes or no", flag=True)
_SIDED_YES = _YES._replace(sided=True)
_COUNT = Word(r"\d+", int, "a whole number")
_MONEY = Word(NUMBER, _number, "a number, such as 4 or -2.5")
_ORDER = Word(
    _LIST, lambda text: tuple(re.split(" ?, ?", text)), "units joined by commas, first lost first", sided=True
)

WORDS: dict[str, Word] = {
    "loss": _ORDER,
    "keep": _COUNT,
    "submerge": _SIDED_YES,
    "keepdestroyer": _SIDED_YES,
    "gunslast": _YES,
    "rounds": _COUNT,
    "retreat": Word(
        rf"{RULE}(?: ?[,|] ?{RULE})*",
        lambda text: tuple(re.findall(RULE, text)),
        "a rule such as units<=2, profit<0, win<40%, destroy<40%, air>20% or clear>30%",
    ),
    "value": _MONEY,
    "deadzone": _YES,
    "planvalue": _MONEY,
    "plandeadzone": _YES,
    "decline": _YES,
    "aafired": _YES,
    "crash": _YES,
    "lowluck": _YES,
    "biased": _YES,
    "land": _YES,
    "sea": _YES,
    "variant": Word(r"[a-z0-9]+(?:-[a-z0-9]+)*", str, "the name of an edition, such as 1940"),
    "exact": _YES,
}
ALSO = {"round": "rounds", "retreats": "retreat", "low-luck": "lowluck", "loss-order": "loss", "stop": "retreat"}
_NAME = re.compile(r"[a-z][a-z-]*")
_GAP = re.compile(r"[\s,;]+")
_VERSUS = re.compile(r"(?:vs\.?|v|versus|against)(?![a-z_])")
_WAVE = re.compile(r"then(?![a-z])")
_ENDS = r"(?=[\s,;]|$)"


def is_armies(line: str) -> bool:
    """Whether a normal line speaks of units of Axis & Allies by words that mean nothing else."""
    return any(only_a_unit(word) for word in _unit_words(line))


def may_be_armies(line: str) -> bool:
    """The same where words count that may also be ships of Star Wars Risk."""
    return any(names_a_unit(word) for word in _unit_words(line))


def _unit_words(line: str) -> Iterator[str]:
    for found in re.finditer(r"(?<![\w:=.-])\d+ ?([a-z][a-z_]*)(?![a-z_:=-])", line):
        # "3i2t3f": what follows a number is a word of its own.
        yield found[1]


def read_armies(line: str, kept: str = "") -> tuple[AxisBattle, bool]:
    """The battle of a normal line, and whether it asks for the exact answer; `kept` is the line of a saved set-up."""
    said: dict[str, Said] = {}
    if kept:
        said = {key: field._replace(kept=True) for key, field in _said(kept, {}).items()}
        said = {key: field._replace(start=0, end=len(line)) for key, field in said.items()}
    said = _said(line, said)
    exact = said.pop("exact", Said(False, 0, 0)).value
    return _battle(line, said), bool(exact)


class Attack(NamedTuple):
    """An attack on a territory in which nobody need stand yet.

    `order` is the order of loss said for all who may come to stand there, empty where none is; `value` what is said of
    the territory's. `said` is what is said, and where in the `line`.
    """

    battle: AxisBattle
    order: tuple[str, ...]
    value: float | None
    line: str
    said: Mapping[str, Said]

    def mistake(self, error: BattleError) -> MatchupError:
        """An error about this attack, with what in its line is wrong."""
        edition = editions()[self.battle.rules.key]
        start, end = _place(self.line, self.said, edition, error.field)
        return MatchupError(self.line, start, end, _told(error, edition))


def read_attack(line: str, kept: Sequence[str]) -> Attack:
    """The attack of a normal line; what it does not say, the lines of `kept` may say, the later ones rather."""
    said: dict[str, Said] = {}
    for other in kept:
        said = {key: Said(field.value, 0, len(line), kept=True) for key, field in _said(other, said).items()}
    said = _said(line, said)
    if "exact" in said:
        raise MatchupError(line, *said["exact"][1:3], "`exact` goes with `/battle`.")
    battle = _battle(line, said, empty=True)
    order = said["defender:loss"].value if "defender:loss" in said else ()
    words = editions()[battle.rules.key].words
    value = said["value"].value if "value" in said else None
    return Attack(battle, tuple(words[word] for word in order), value, line, said)


def read_units(line: str, variant: str) -> tuple[dict[str, int], dict[str, tuple[int, int]], str]:
    """Units at hand in a normal line, where each of them stands, and all else that is said there: that of all attacks.

    `variant` is their edition where the line says none.
    """
    if versus := re.search(rf"(?<![^\s,;]){_VERSUS.pattern}", line):
        raise MatchupError(line, *versus.span(), "Who is at hand comes first; attacks follow after `||`.")
    said = _said(line, {})
    edition = _edition(line, said, variant)
    units: dict[str, int] = {}
    places: dict[str, tuple[int, int]] = {}
    rest = line
    for key, field in said.items():
        _, dot, word = key.partition(".")
        if not dot:
            continue
        if word not in edition.words:
            raise MatchupError(line, field.start, field.end, _no_unit(word, edition))
        unit = edition.words[word]
        units[unit] = units.get(unit, 0) + field.value
        places[unit] = field.start, field.end
        rest = f"{rest[: field.start]}{' ' * (field.end - field.start)}{rest[field.end :]}"
    return units, places, " ".join(rest.split())


# What is said -------------------------------------------------------------------------------------------


def _said(line: str, said: dict[str, Said]) -> dict[str, Said]:
    """What the words of the line say, over what a saved set-up has said."""
    said, side, position = dict(said), "attacker", 0
    crossed = False
    while position < len(line):
        if found := _GAP.match(line, position):
            position = found.end()
        elif found := _COUNTED.match(line, position):
            found = _of_two_words(line, found)
            key = f"{side}.{found[2].replace(' ', '_')}"
            if found[2] in ("v", "vs"):
                raise MatchupError(line, position, found.end(), f"Units have names: `{ARMIES}`.")
            _put(line, said, key, Said(int(found[1]), position, found.end()))
            position = found.end()
        elif found := _VERSUS.match(line, position):
            if crossed:
                raise MatchupError(
                    line, position, found.end(), "One `vs` is enough: the attacker's units stand before it."
                )
            crossed, side, position = True, "defender", found.end()
        elif _WAVE.match(line, position):
            reason = "One battle at a time: what comes `then` is not worked out yet."
            raise MatchupError(line, position, position + 4, reason)
        else:
            key, field = _option(line, position, side)
            _put(line, said, key, field)
            position = field.end
    return said


def _of_two_words(line: str, found: re.Match[str]) -> re.Match[str]:
    """The same with the word that follows, where both together are a unit: "2 aa guns"."""
    longer = re.compile(r"(\d+) ?([a-z]+ [a-z]+)(?![a-z_:=])").match(line, found.start())
    return longer if longer and names_a_unit(longer[2].replace(" ", "_")) else found


def _put(line: str, said: dict[str, Said], key: str, field: Said) -> None:
    before = said.get(key)
    if key == "retreat" and before and not before.kept:
        field = field._replace(value=(*before.value, *field.value))
    elif before and not before.kept:
        raise MatchupError(line, field.start, field.end, "This was said before in the same line.")
    said[key] = field


def _option(line: str, start: int, side: str) -> tuple[str, Said]:
    """An option with its value, after a colon, an equals sign or a space."""
    found = _NAME.match(line, start)
    if not found:
        end = re.compile(r"[^\s,;]+").match(line, start)
        assert end is not None, "a gap was skipped before, so something is here"
        raise MatchupError(line, start, end.end(), f"I cannot read this. Units come with a number: `{ARMIES}`.")
    name = ALSO.get(found[0], found[0])
    if name not in WORDS and name.startswith("d") and name[1:] in WORDS and WORDS[name[1:]].sided:
        name, side = name[1:], "defender"
    if name not in WORDS:
        raise MatchupError(line, start, found.end(), _unknown(found[0]))
    word = WORDS[name]
    key = f"{side}:{name}" if word.sided else name
    value = re.compile(rf"(?: ?[:=] ?| )({word.form}){_ENDS}").match(line, found.end())
    if value:
        return key, Said(word.read(value[1]), start, value.end())
    wrong = re.compile(r" ?[:=] ?[^\s;]*").match(line, found.end())
    if word.flag and not wrong:
        return key, Said(True, start, found.end())
    raise MatchupError(line, start, wrong.end() if wrong else found.end(), f"`{name}:` takes {word.wanted}.")


def _unknown(word: str) -> str:
    if names_a_unit(word):
        return f"How many? A unit comes with a number: `3 {word}`."
    near = difflib.get_close_matches(word, [*WORDS, *ALSO], n=1, cutoff=0.7)
    if near:
        return f"I do not know `{word}`. Did you mean `{ALSO.get(near[0], near[0])}`?"
    words = ", ".join(
        f"`{name}`" for name in ("vs", "loss", "rounds", "retreat", "keep", "value", "lowluck", "variant")
    )
    return f"I do not know `{word}`. The words are units, {words} and more: `/help axis` has them all."


# From words to a battle ---------------------------------------------------------------------------------


def _edition(line: str, said: Mapping[str, Said], usual: str = USUAL) -> Edition:
    variant = said["variant"].value if "variant" in said else usual
    edition = editions().get(variant)
    if edition is None:
        near = difflib.get_close_matches(variant, editions(), n=1, cutoff=0.5)
        hint = f"Did you mean `variant:{near[0]}`?" if near else f"There are {', '.join(editions())}."
        raise MatchupError(line, said["variant"].start, said["variant"].end, f"There is no edition `{variant}`. {hint}")
    return edition


def _battle(line: str, said: Mapping[str, Said], empty: bool = False) -> AxisBattle:
    """The battle of what is said; where the territory may be `empty` somebody need not defend."""
    edition = _edition(line, said)
    units: dict[str, dict[str, int]] = {"attacker": {}, "defender": {}}
    for key, field in said.items():
        side, dot, word = key.partition(".")
        if not dot:
            continue
        if word not in edition.words:
            raise MatchupError(line, field.start, field.end, _no_unit(word, edition))
        if not field.kept or not _said_anew(said, side, edition, word):
            unit = edition.words[word]
            units[side][unit] = units[side].get(unit, 0) + field.value
    if not any(units["attacker"].values()):
        raise MatchupError(line, 0, 1, f"Who attacks? For example `{ARMIES}`.")
    if not any(units["defender"].values()) and not empty:
        raise MatchupError(line, len(line), len(line) + 1, f"Against whom? For example `{ARMIES}`.")
    try:
        return _built(edition, units, {key: field.value for key, field in said.items()})
    except BattleError as error:
        start, end = _place(line, said, edition, error.field)
        raise MatchupError(line, start, end, _told(error, edition)) from None


def _said_anew(said: Mapping[str, Said], side: str, edition: Edition, word: str) -> bool:
    """Whether the line says another number of a unit than the saved set-up, in whatever word."""
    others = (key.partition(".")[2] for key, field in said.items() if key.startswith(f"{side}.") and not field.kept)
    return any(edition.words.get(other) == edition.words[word] for other in others)


def _built(edition: Edition, units: Mapping[str, Mapping[str, int]], said: Mapping[str, Any]) -> AxisBattle:
    rules = edition.rules
    theatre = theatre_of(edition, units, said)
    attacker, defender = (_side(edition, name, units[name], said) for name in ("attacker", "defender"))
    dice = [name for word, name in (("lowluck", "low_luck"), ("biased", "biased")) if said.get(word)]
    if len(dice) > 1:
        raise BattleError("lowluck", "dice are either low luck or biased")
    flags = {name: tuple(bool(said.get(f"{side}:{name}")) for side in units) for name in ("submerge", "keepdestroyer")}
    return AxisBattle(
        rules,
        theatre,
        attacker,
        defender,
        dice="low_luck" if dice == ["low_luck"] else "biased" if dice else "standard",
        round_limit=said.get("rounds"),
        retreat=_retreat(said.get("retreat", ())),
        submerge=(flags["submerge"][0], flags["submerge"][1]),
        keep_last_destroyer=(flags["keepdestroyer"][0], flags["keepdestroyer"][1]),
        crash_stranded_fighters=bool(said.get("crash")),
        deadzone=bool(said.get("deadzone")),
        territory_value=said.get("value", 0),
        planned_deadzone=said.get("plandeadzone"),
        planned_value=said.get("planvalue"),
        decline_allowed=said.get("decline", True),
        aa_already_fired=bool(said.get("aafired")),
    )


def _side(edition: Edition, name: str, units: Mapping[str, int], said: Mapping[str, Any]) -> Side:
    order = [_unit(edition, word, name) for word in said.get(f"{name}:loss", ())]
    guns = bool(said.get("gunslast")) and name == "defender"
    return Side.of(units, *order, keep_land=said.get("keep", 0) if name == "attacker" else 0, aa_second_last=guns)


def theatre_of(edition: Edition, units: Mapping[str, Mapping[str, int]], said: Mapping[str, Any]) -> Theatre:
    """Where they fight: at sea if somebody there can only be at sea."""
    if said.get("sea") and said.get("land"):
        raise BattleError("sea", "a battle is at sea or on land")
    if said.get("sea"):
        return "sea"
    table = edition.rules.table
    kinds = {table[name].kind for side in units.values() for name, count in side.items() if count}
    return "land" if said.get("land") or "land" in kinds or "sea" not in kinds else "sea"


def _unit(edition: Edition, word: str, side: str) -> str:
    if word not in edition.words:
        raise BattleError(f"{side}.loss_order", f"there is no unit `{word}` in {edition.name}")
    return edition.words[word]


def _retreat(rules: tuple[str, ...]) -> Retreat:
    """The rules for retreating, of which each kind is said once."""
    given: dict[str, Any] = {}
    for rule in rules:
        name, sign, number = re.match(r"([a-z]+) ?([<>]=?) ?(.*)", rule).groups()  # type: ignore[union-attr]
        value = _number(number.rstrip("% ")) if name in ("units", "profit") else read_chance(number)
        if name == "units":
            value = int(value) - (sign == "<")
        field = _RULES[name]
        if field in given:
            raise BattleError("retreat", "each rule for retreating is said once, and `win` goes without `destroy`")
        given[field] = value
        if name in ("win", "destroy"):
            given["win_means"] = {"win": None, "destroy": "destroy"}[name]
    return Retreat(**given)


_RULES = {
    "units": "units_at_most",
    "profit": "profit_below",
    "win": "win_chance_below",
    "destroy": "win_chance_below",
    "air": "air_loss_chance_above",
    "clear": "clear_chance_above",
}


def read_chance(text: str) -> float:
    """A chance: 40% is 0.4, and so is 0.4."""
    number = round(float(text.rstrip("% ")), 8)
    return number / 100 if "%" in text or number > 1 else number


def _no_unit(word: str, edition: Edition) -> str:
    near = difflib.get_close_matches(word, edition.words, n=1, cutoff=0.6)
    hint = (
        f"Did you mean `{near[0]}`?"
        if near
        else f"There are {', '.join(edition.short[u.name] for u in edition.rules.units)}."
    )
    return f"There is no unit `{word}` in {edition.name}. {hint}"


def _place(line: str, said: Mapping[str, Said], edition: Edition, name: str) -> tuple[int, int]:
    """Where the line speaks of the field an error names; else the whole line."""
    side, _, rest = name.partition(".")
    unit = rest.removeprefix("units.")
    keys = [key for key in said if key.startswith(f"{side}.") and edition.words.get(key.partition(".")[2]) == unit]
    keys += [f"{side}:{_FIELDS.get(rest, rest)}", _FIELDS.get(name, name), _FIELDS.get(side, side)]
    keys += ["gunslast"] if rest == "aa_second_last" else []
    for key in keys:
        if key in said:
            return said[key].start, said[key].end
    return 0, len(line)


_FIELDS = {
    "loss_order": "loss",
    "keep_land": "keep",
    "round_limit": "rounds",
    "territory_value": "value",
    "planned_value": "planvalue",
}


def _told(error: BattleError, edition: Edition) -> str:
    """An error in the words of the notation."""
    sentence = error.sentence
    for unit in sorted(edition.short, key=len, reverse=True):
        sentence = re.sub(rf"\b{unit}\b", f"`{edition.short[unit]}`", sentence, flags=re.IGNORECASE)
    if error.field.endswith("loss_order"):
        sentence += " An order of loss names every unit: `loss:inf,art,arm,fig,bom`."
    return sentence
