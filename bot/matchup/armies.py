"""Lines of Axis & Allies: "3 inf 2 arm 3 fig vs 5 inf 1 aa rounds:2 then 4 arm", to the battle they mean.

Units come with their number, in any words an edition knows; options that belong to a side stand on its side of "vs", or
have a d in front for the defender; those of the whole battle stand anywhere. What follows "then" is a wave of its own.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bot.editions import USUAL, editions, names_a_unit, only_a_unit
from bot.languages import _, joined
from bot.matchup.army_battles import CHANGE, battle_of, edition_of, mark_of, no_unit, place_of, told_mistake, waves_in
from bot.matchup.army_words import ALSO, ARMIES, ASKED, MANY, OFFERS, SHARED, WORDS, Said
from bot.matchup.habits import example, unsaid
from bot.matchup.lasting_orders import USUAL_ORDER
from bot.matchup.mistakes import MatchupError, unknown
from bot.matchup.nearest import offered
from solver import BattleError
from solver.axis import AxisBattle, usual_order
from solver.units import Role
from solver.waves import Waves, waves_of

_COUNTED = re.compile(r"(?:(?<![^\s,;])(?P<sign>[+-]) ?)?(?P<count>\d+) ?(?P<word>[a-z][a-z_]*)")
_NAME = re.compile(r"[a-z][a-z-]*")
_GAP = re.compile(r"[\s,;]+")
_VERSUS = re.compile(r"(?:vs\.?|v|versus|against)(?![a-z_])")
_SHARE = re.compile(r"(\d+(?:[.,]\d+)?) ?%(?=[\s,;]|$)")
_WAVE = re.compile(r"then(?![a-z])(?:[ ,]*(hold)(?: ?: ?([a-z]*))?(?![a-z]))?")
_ENDS = r"(?=[\s,;]|$)"


_OWNERS = {"a": "attacker", "d": "defender"}


class Wish(NamedTuple):
    """What is asked about a battle beside its odds: each word with its value, and where it stands in its line.

    `remarks` say how words of the line were taken.
    """

    line: str
    said: Mapping[str, Said]
    remarks: tuple[str, ...] = ()

    def value(self, word: str) -> Any:
        """What a word says; None where it is not there."""
        return self.said[word].value if word in self.said else None


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


def read_armies(line: str, kept: str = "") -> tuple[AxisBattle | Waves, Wish]:
    """The battle of a normal line, and what it asks about it; `kept` is the line of a saved set-up."""
    said: dict[str, Said] = {}
    if kept:
        said = {key: field._replace(kept=True) for key, field in _said(kept, {}).items()}
        said = {key: field._replace(start=0, end=len(line)) for key, field in said.items()}
    said = _said(line, said)
    if not kept and unsaid().edition != USUAL:
        said.setdefault("variant", Said(unsaid().edition, 0, len(line), kept=True))
    asked = {word: said.pop(word) for word in ASKED if word in said}
    battle = battle_of(line, said)
    if "least" in asked and isinstance(battle, AxisBattle):
        asked["least"] = asked["least"]._replace(value=_least(line, asked["least"], battle, asked.get("side")))
    return battle, Wish(line, asked, tuple(dict.fromkeys(_order_remarks(battle, said))))


def _order_remarks(battle: AxisBattle | Waves, said: Mapping[str, Said]) -> Iterator[str]:
    """Say which units follow in the usual order, as an order of loss of the line does not name them."""
    edition = editions()[waves_of(battle)[0].rules.key]
    for number, wave in enumerate(waves_of(battle)):
        for name, side in (("attacker", wave.attacker), ("defender", wave.defender)):
            field = said.get(f"{mark_of(number)}{name}:loss")
            if field is None or field.kept or field.value == (USUAL_ORDER,):
                continue
            role: Role = "attack" if name == "attacker" else "defence"
            named = [word for word in field.value if _has_choice(wave, edition.words[word], role)]
            known = {edition.words[word] for word in named}
            rest = [unit for unit in usual_order(wave.rules, wave.theatre, role) if side.count(unit)]
            rest = [edition.short[unit] for unit in rest if unit not in known and _has_choice(wave, unit, role)]
            if named and rest:
                words = {"order": f"loss:{','.join(named)}", "units": ", ".join(rest)}
                if name == "attacker":
                    yield _("After `{order}` the attacker loses {units} in the usual order.", **words)
                else:
                    yield _("After `{order}` the defender loses {units} in the usual order.", **words)


def _has_choice(wave: AxisBattle, unit: str, role: Role) -> bool:
    """Whether an order of loss can say when a kind of unit is lost: of transports it cannot, nor of late guns."""
    late = role == "defence" and wave.defender.aa_second_last and wave.rules.table[unit].antiaircraft
    return not late and not wave.by_itself(unit, role)


def _least(line: str, given: Said, battle: AxisBattle, whose: Said | None) -> tuple[tuple[str, int], ...]:
    """The units that come in any case: of those who are there, and not more."""
    edition = editions()[battle.rules.key]
    side = battle.defender if whose and whose.value == "defence" else battle.attacker
    least: dict[str, int] = {}
    for count, word in given.value:
        if word not in edition.words:
            raise no_unit(line, given, word, edition)
        unit = edition.words[word]
        least[unit] = least.get(unit, 0) + int(count)
        if least[unit] > side.count(unit):
            there = side.count(unit)
            reason = (
                _(
                    "`{units}` is more than you have: there are only {there} to choose from.",
                    units=f"{count} {word}",
                    there=there,
                )
                if there
                else _("There is no `{units}` to choose from.", units=f"{count} {word}")
            )
            raise MatchupError(line, given.start, given.end, reason)
    return tuple(least.items())


class Attack(NamedTuple):
    """An attack on a territory in which nobody need stand yet.

    `order` is the order of loss said for some or all of those who may come to stand there, empty where none is;
    `value` what is said of the territory's. `said` is what is said, and where in the `line`.
    """

    battle: AxisBattle
    order: tuple[str, ...]
    value: float | None
    line: str
    said: Mapping[str, Said]

    def mistake(self, error: BattleError) -> MatchupError:
        """An error about this attack, with what in its line is wrong."""
        edition = editions()[self.battle.rules.key]
        start, end = place_of(self.line, self.said, edition, error.field)
        return MatchupError(self.line, start, end, told_mistake(error, edition))


def read_attack(line: str, kept: Sequence[str]) -> Attack:
    """The attack of a normal line; what it does not say, the lines of `kept` may say, the later ones rather."""
    said: dict[str, Said] = {}
    for other in kept:
        said = {key: Said(field.value, 0, len(line), kept=True) for key, field in _said(other, said).items()}
    said = _said(line, said)
    for word in ASKED.keys() & said.keys():
        raise MatchupError(line, *said[word][1:3], _(ASKED[word]))
    battle = battle_of(line, said, empty=True)
    if isinstance(battle, Waves):
        raise MatchupError(line, *said["1|hold"][1:3], _("Here each territory is attacked once, in one wave."))
    words = editions()[battle.rules.key].words
    given = said["defender:loss"].value if "defender:loss" in said else ()
    order = () if given == (USUAL_ORDER,) else tuple(words[word] for word in given)
    value = said["value"].value if "value" in said else None
    return Attack(battle, order, value, line, said)


def read_units(line: str, variant: str) -> tuple[dict[str, int], dict[str, tuple[int, int]], str]:
    """Units at hand in a normal line, where each of them stands, and all else that is said there: that of all attacks.

    `variant` is their edition where the line says none.
    """
    if versus := re.search(rf"(?<![^\s,;]){_VERSUS.pattern}", line):
        raise MatchupError(line, *versus.span(), _("Your units come first, then the attacks after `||`."))
    said = _said(line, {})
    edition = edition_of(line, said, variant)
    units: dict[str, int] = {}
    places: dict[str, tuple[int, int]] = {}
    rest = line
    for key, field in said.items():
        _side, dot, word = key.partition(".")
        if not dot:
            continue
        if word not in edition.words:
            raise no_unit(line, field, word, edition)
        unit = edition.words[word]
        units[unit] = units.get(unit, 0) + field.value
        places[unit] = field.start, field.end
        rest = f"{rest[: field.start]}{' ' * (field.end - field.start)}{rest[field.end :]}"
    return units, places, " ".join(rest.split())


# What is said -------------------------------------------------------------------------------------------


def _said(line: str, said: dict[str, Said]) -> dict[str, Said]:
    """What the words of the line say, over what a saved set-up has said; "+1 fig" and "-1 arm" change its units."""
    signs = unsaid().rules > 1 and any("." in key for key in said)
    said, side, position = dict(said), "attacker", 0
    crossed, wave, kept = False, 0, waves_in(said)
    while position < len(line):
        if found := _GAP.match(line, position):
            position = found.end()
        elif (found := _COUNTED.match(line, position)) and (not found["sign"] or (signs and not wave)):
            word, end = _unit_word(line, found)
            if word in ("v", "vs"):
                raise MatchupError(line, position, end, _("Units need names: `{example}`.", example=example(ARMIES)))
            change = CHANGE if found["sign"] else ""
            count = int(f"{found['sign'] or ''}{found['count']}")
            _put(line, said, f"{mark_of(wave)}{side}.{change}{word}", Said(count, position, end))
            position = end
        elif found := _VERSUS.match(line, position):
            if crossed:
                raise MatchupError(line, position, found.end(), _("Use one `vs`, with the attacker's units before it."))
            crossed, side, position = True, "defender", found.end()
        elif found := _SHARE.match(line, position):
            share = round(float(found[1].replace(",", ".")) / 100, 10)
            _put(line, said, "chance", Said(share, position, found.end()))
            position = found.end()
        elif found := _WAVE.match(line, position):
            # What is said then comes after all waves of a saved set-up.
            wave, side, crossed = max(wave + 1, kept), "attacker", False
            if found[2] not in (None, "last"):
                raise MatchupError(
                    line, position, found.end(), _("`hold:` takes only `last`, as in `... then hold:last 6 inf`.")
                )
            hold = "" if not found[1] else found[2] or "any"
            _put(line, said, f"{mark_of(wave)}hold", Said(hold, position, found.end()))
            position = found.end()
        else:
            key, field = _option(line, position, side)
            _put(line, said, key if key in SHARED or key in ASKED else mark_of(wave) + key, field)
            position = field.end
    return said


def _unit_word(line: str, found: re.Match[str]) -> tuple[str, int]:
    """The word behind a number, with the next one where both together are a unit, and its end: "2 aa guns"."""
    longer = re.compile(r"[a-z]+ [a-z]+(?![a-z_:=])").match(line, found.start("word"))
    words = longer[0].replace(" ", "_") if longer else ""
    return (words, longer.end()) if longer and names_a_unit(words) else (found["word"], found.end())


def _put(line: str, said: dict[str, Said], key: str, field: Said) -> None:
    before = said.get(key)
    if key.rpartition("|")[2] in MANY and before and not before.kept:
        field = field._replace(value=(*before.value, *field.value))
    elif before and not before.kept:
        raise MatchupError(line, field.start, field.end, _("This is in the line twice."))
    said[key] = field


def _option(line: str, start: int, side: str) -> tuple[str, Said]:
    """An option with its value, after a colon, an equals sign or a space."""
    found = _NAME.match(line, start)
    if not found:
        end = re.compile(r"[^\s,;]+").match(line, start)
        assert end is not None, "a gap was skipped before, so something is here"
        reason = _("I can't read this. Put a number before each unit: `{example}`.", example=example(ARMIES))
        raise MatchupError(line, start, end.end(), reason)
    name = ALSO.get(found[0], found[0])
    if name not in WORDS and name[0] in _OWNERS and name[1:] in WORDS and WORDS[name[1:]].sided:
        name, side = name[1:], _OWNERS[name[0]]
    if name not in WORDS:
        raise MatchupError(line, start, found.end(), _unknown(found[0]), _nearest(found[0]))
    word = WORDS[name]
    key = f"{side}:{name}" if word.sided else name
    value = re.compile(rf"(?: ?[:=] ?| )({word.form}){_ENDS}").match(line, found.end())
    if value:
        return key, Said(word.read(value[1]), start, value.end())
    wrong = re.compile(r" ?[:=] ?[^\s;]*").match(line, found.end())
    if word.flag and not wrong:
        return key, Said(True, start, found.end())
    reason = _("`{name}:` needs {wanted}.", name=name, wanted=_(word.wanted))
    last = wrong.end() if wrong else found.end()
    raise MatchupError(line, start, last, reason, offered(name, line[start:last], OFFERS.get(name, ())))


def _unknown(word: str) -> str:
    if names_a_unit(word):
        return _("How many? Put a number before the unit: `3 {unit}`.", unit=word)
    if word == "hold":
        return _("A counter-attack needs its own wave: `... then hold 6 inf`.")
    if word == "advice":
        return _("`advice` works for games that compare dice, such as `12 9`.")
    if near := _nearest(word):
        return unknown(word, near)
    words = ", ".join(
        f"`{name}`"
        for name in ("vs", "then", "loss", "rounds", "retreat", "keep", "value", "worth", "lowluck", "variant")
    )
    told = _("I read units, {words} and more: `/help axis` lists them all.", words=words)
    return joined("{what} {hint}", what=_("I don't know `{word}`.", word=word), hint=told)


def _nearest(word: str) -> str:
    """The option that was probably meant; empty where none is near, and for words that only lack something."""
    if names_a_unit(word) or word in ("hold", "advice"):
        return ""
    near = difflib.get_close_matches(word, [*WORDS, *ALSO, "then", "hold"], n=1, cutoff=0.7)
    return ALSO.get(near[0], near[0]) if near else ""
