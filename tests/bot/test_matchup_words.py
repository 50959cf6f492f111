"""The notation's newer words: paths, packs, icons, and what belongs to a question rather than to the battle."""

from collections.abc import Collection
from itertools import product

import pytest

from bot.notation.lexer import unknown_words
from bot.notation.mistakes import MatchupError
from bot.packs import Pack, load
from solver import Battle, Faces, Pool, Reshape, Ships
from solver.path.path import Path
from tests.helpers.bot.any_line import CHANGES
from tests.helpers.bot.lines import WORDS, is_name, parse, read_slow_lines, write
from tests.helpers.cases import each
from tests.helpers.extent import pick


def battle(line: str) -> Battle:
    """The one battle of a line."""
    found = parse(line).battle
    assert isinstance(found, Battle)
    return found


def legs(line: str) -> tuple[Battle, ...]:
    """The territories of a path."""
    found = parse(line).battle
    assert isinstance(found, Path)
    return found.legs


def wrong(line: str, takes: Collection[str] = (), lone: str = "") -> list[str]:
    """What is under the carets, and the sentence."""
    with pytest.raises(MatchupError) as error:
        parse(line, {"march": "20 > 5 > 4", "alamo": "12 9"}, takes, lone)
    shown, carets, _, reason = error.value.text.splitlines()[1:]
    return [shown[carets.index("^") : len(carets)], reason]


# Rule packs ---------------------------------------------------------------------------------------------


@each(sorted(load()))
def test_a_variant_in_a_line_is_read(key: str) -> None:
    line = f"12 9 variant:{key}"
    assert battle(line) == load()[key].battle(12, 9)
    assert write(battle(line)) == line


@each(enumerate(sorted(load())))
def test_every_change_to_a_variant_can_be_written_and_read(index: int, key: str) -> None:
    """One change or two: what is written means the same, and says it in the same words again."""
    understood = 0
    changes = [*product(CHANGES, ["", "dbonus:1", "dice:2v2", "late:no", "ties:attacker"])]
    for first, second in pick(changes[index % 8 :: 8], changes):
        try:
            changed = battle(f"12 9 variant:{key} {first} {second}")
        except MatchupError:
            continue
        understood += 1
        line = write(changed)
        again = battle(line)
        assert again == changed, line
        assert write(again) == line
        assert changed.variant == key
    assert understood >= pick(1, 8)


def test_icon_dice_of_defenders_leave_those_of_attackers_alone() -> None:
    first, second = legs("20 icons:A,D dicons:AA,D > 5 > 4 icons:D,D")
    assert first.faces == (Faces.of(["A", "D"]), Faces.of(["AA", "D"]))
    assert second.faces == (Faces.of(["A", "D"]), Faces.of(["D", "D"]))


def test_a_variant_may_have_different_icon_dice_on_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"attack": {"faces": ["AA", "D"]}, "defence": {"faces": ["A", "DD"]}}
    own = {"club": Pack("club", "icons", "Club night", "Two dice.", "us", "", {"club": rules})}
    for module in ("bot.games.dice.notation.reading", "bot.games.dice.notation.writing"):
        monkeypatch.setattr(f"{module}.find", own.get)
    assert battle("3 4 variant:club").faces == (Faces.of(["AA", "D"]), Faces.of(["A", "DD"]))
    assert battle("3 4 variant:club dicons:D,D").faces == (Faces.of(["AA", "D"]), Faces.of(["D", "D"]))
    assert battle("3 4 variant:club icons:A,A").faces == (Faces.of(["A", "A"]), Faces.of(["A", "A"]))


def test_options_undo_the_rules_of_a_variant() -> None:
    plain = Battle(12, 9, variant="bunker")
    assert battle("12 9 variant:bunker dbonus:0 dclamp:none") == plain
    assert battle("12 9 variant:blitz reshape:none") == Battle(12, 9, variant="blitz")
    assert battle("12 9 variant:late-defence late:no") == Battle(12, 9, variant="late-defence")
    assert battle("12 9 variant:magic-goddess arerolls:0").attack == Pool((6, 6, 6))
    assert battle("12 9 variant:war-god ties:defender") == Battle(12, 9, variant="war-god")


def test_a_cap_on_dice_keeps_the_best_dice_of_a_variant() -> None:
    assert battle("12 9 variant:2210 dice:1v1").attack.dice == (8,)
    assert battle("12 9 variant:2210 dice:4v2").attack.dice == (8, 6, 6, 6)
    assert battle("12 9 variant:fortification dice:3v1").defence == Pool((6,), bonus=(1,), clamp=(1, 6))


def test_each_territory_has_its_own_or_the_common_variant() -> None:
    first, second, third = legs("20 variant:2210 > 5 variant:wall > 4 > 3 dbonus:1 leave:0")
    assert first == load()["wall"].battle(20, 5)
    assert second == load()["2210"].battle(20, 4)
    assert third.defence == Pool((8, 6), bonus=(1,))


# Paths --------------------------------------------------------------------------------------------------


def test_attackers_keep_their_ships_and_territories_have_theirs() -> None:
    first, second = legs("20 bombers:2 > 5 dice:2v1 fighters:1 > 4 capitals:1 leave:3")
    assert (first.attack_ships, second.attack_ships) == (Ships(bombers=1), Ships(bombers=2))
    assert (first.defence_ships, second.defence_ships) == (Ships(fighters=1), Ships(capitals=1))
    assert (first.attackers, second.attackers) == (20, 17)


def test_leaving_armies_behind_never_makes_the_attackers_negative() -> None:
    assert [leg.attackers for leg in legs("3 > 5 > 4 > 2 leave:2")] == [3, 1, 0]


@pytest.mark.parametrize("word", ["stop:4", "abombers:1"])
def test_options_of_the_attacker_may_stand_anywhere_in_a_path(word: str) -> None:
    lines = [f"20 {word} > 5 > 4", f"20 > 5 {word} > 4", f"20 > 5 > 4 {word}"]
    assert len({parse(line).battle for line in lines}) == 1


def test_a_path_too_long_when_written_out_is_refused() -> None:
    """Its answer could not carry it, and the buttons would be about nothing."""
    line = "20" + ">5 tie:both dbonus:2>5 tie:attacker dbonus:1" * 20
    assert len(line) < 1_000
    with pytest.raises(MatchupError, match=r"Written out in full, this has more than 1000 characters\."):
        parse(line)
    assert len(legs("20" + ">5 tie:both>5 tie:attacker" * 6)) == 12


def test_a_path_has_up_to_forty_territories() -> None:
    assert len(legs("20" + ">5" * 40)) == 40
    assert wrong("20" + ">5" * 41)[1] == "A path must have 1 to 40 territories, not 41."


# What goes with the question ----------------------------------------------------------------------------


def test_a_chance_is_read_only_for_commands_that_take_it() -> None:
    for text, chance in (("80%", 0.8), ("80%", 0.8), ("99.9%", 0.999), ("0.5%", 0.005), ("100%", 1.0), ("0%", 0.0)):
        assert parse(f"12 9 {text}", takes=("chance",)).chance == pytest.approx(chance)
        assert parse(f"{text} 12 9", takes=("chance",)).battle == Battle(12, 9)
    assert parse("12 9", takes=("chance",)).chance is None
    assert parse("12 9 80%, stop:4", takes=("chance",)).battle == Battle(12, 9, stop=4)
    assert wrong("12 9 80%") == ["80%", "A chance such as `80%` works with `/need`."]
    assert wrong("12 9 80%", takes=("exact",)) == ["80%", "A chance such as `80%` works with `/need`."]
    assert wrong("80% 12 9 90%", takes=("chance",)) == ["90%", "This is in the line twice."]


def test_exact_is_read_only_for_commands_that_take_it() -> None:
    for line, exact in (("12 9 exact", True), ("exact 12 9", True), ("12 9 exact:no", False), ("12 9", False)):
        assert parse(line, takes=("exact",)).exact is exact
    assert parse("20 > 5 exact > 4", takes=("exact",)).exact
    assert wrong("12 9 exact stop:4") == ["exact", "`exact` works with `/battle`."]
    assert wrong("12 9 exact", takes=("chance",)) == ["exact", "`exact` works with `/battle`."]


@each(
    [
        ("9", "defenders", (1, 9), {"defenders"}),
        ("9", "attackers", (9, 1), {"attackers"}),
        ("12 vs", "defenders", (12, 1), {"attackers"}),
        ("12 vs", "attackers", (12, 1), {"attackers"}),
        ("vs 9", "defenders", (1, 9), {"defenders"}),
        ("vs 9", "attackers", (1, 9), {"defenders"}),
        ("12 9", "defenders", (12, 9), {"attackers", "defenders"}),
        ("12 9", "attackers", (12, 9), {"attackers", "defenders"}),
        ("", "attackers", (1, 1), set()),
        ("bombers:1 9 stop:0", "defenders", (1, 9), {"defenders"}),
        ("variant:2210", "attackers", (1, 1), set()),
        ("alamo", "defenders", (12, 9), {"attackers", "defenders"}),
    ]
)
def test_a_single_number_is_one_side_for_commands_that_take_it(
    line: str, lone: str, numbers: tuple[int, int], given: set[str]
) -> None:
    reading = parse(line, {"alamo": "12 9"}, lone=lone)
    assert isinstance(reading.battle, Battle)
    assert (reading.battle.attackers, reading.battle.defenders) == numbers
    assert reading.details.given == given


def test_ships_beside_a_single_number_are_the_attackers() -> None:
    """The number says whose armies are counted; the words still say whose ships."""
    reading = parse("9 bombers:1 dcapitals:1", lone="defenders")
    assert reading.battle == Battle(1, 9, attack_ships=Ships(bombers=1), defence_ships=Ships(capitals=1))


# Carets -------------------------------------------------------------------------------------------------


@each(
    [
        ("12 9 variant:2200 stop:1", "variant:2200", "There is no variant called `2200`. Did you mean `variant:2210`?"),
        ("20 > 5 variant:2200 > 4", "variant:2200", "There is no variant called `2200`. Did you mean `variant:2210`?"),
        ("12 9 2210", "2210", "A battle has two numbers. Did you mean `variant:2210`?"),
        ("12 9 leave:2 stop:1", "leave:2", "`leave` works with a path such as `20 > 5 > 4 > 2`."),
        (
            "20 > 5 > 4 > 2 leave:1,2,3,4 stop:1",
            "leave:1,2,3,4",
            "`leave:` needs one number for all territories, or one for each of the 3.",
        ),
        ("20 > 5 rounds:3 > 4", "rounds:3", "A path can't have `rounds`."),
        ("20 reserve:3 > 5 > 4", "reserve:3", "A path can't have `reserve`."),
        ("20 > 5 > 4 value:6 stop:1", "value:6", "A path can't have `value`."),
        ("20 > 5 reshape:none > 4", "reshape:none", "A path can't have `reshape`."),
        ("20 7 > 5", "7", "Put `>` between the numbers of a path: `20 > 5 > 4`."),
        (
            "20 > 5 7 > 4",
            "7",
            "What is the third number? Several territories: `20 > 5 > 4`; stop early: `20 5 stop:4`.",
        ),
        (
            "20 > 5 > 4 3",
            "3",
            "What is the third number? Several territories: `20 > 5 > 4`; stop early: `20 5 stop:4`.",
        ),
        ("20 > 5 adice:1,2 > 4", "adice:1,2", "A die must have 2 to 100 sides, not 1."),
        ("20 > 5 > 4 dbonus:1,1,1", "dbonus:1,1,1", "Each die can have one bonus: give 0 to 2 here, not 3."),
        ("20 > 5 > march", "march", "Write a path out in full, without presets."),
        ("march > 4", ">", "Write a path out in full, without a preset such as `march`."),
        ("alamo vs march", "march", "Use one preset at a time; `alamo` is already one."),
        (
            "3 4 icons:A,D,AAAAAAAAAAAAA stop:1",
            "icons:a,d,aaaaaaaaaaaaa",
            "A face can show 0 to 12 icons of a kind, not 13.",
        ),
        ("3 4 icons:AX,D stop:1", "icons:ax", "`icons:` needs the faces of a die with commas between them"),
        ("3 4 stop:1 dicons:A,D", "dicons:a,d", "The attacker's icon dice are missing"),
        ("3 4 ties:both icons:A,D", "icons:a,d", "Icon dice can't be combined with other dice, ships or tie rules."),
        (
            "3 4 stop:1 variant:coin bombers:1",
            "variant:coin",
            "`coin` does not allow that: icon dice can't be combined with other dice, ships or tie rules.",
        ),
        (
            "12 9 stop:2 late rounds:3",
            "late",
            "`late` can't be combined with icon dice, `ties:neither`, `rounds` or `value`.",
        ),
        ("12 9 stop:2 reshape:0.9,1,0,1", "reshape:0.9,1,0,1", "Give a number from 0 to 0.49, not 0.9."),
        (
            "12 9 stop:2 variant:blitz",
            "variant:blitz",
            "`blitz` does not allow that: `reshape` needs a battle that one side wins: no icon dice, shared ties, "
            "`stop` or `rounds`.",
        ),
        ("12 9 rounds:2 value:6", "value:6", "`value` can't be combined with `rounds`."),
        ("20 > 5 xyzzy > 4", "xyzzy", "I didn't understand `xyzzy`. Did you mean `20 > 5 > 4`?"),
        ("20 > 5 lte > 4", "lte", "I don't know `lte`. Did you mean `late`?"),
        ("3 inf vs 2 inf retreat:win<400%", "retreat:win<400%", "A chance must be between 0% and 100%, not 400%."),
        (
            "6 inf vs 2 inf then 2 arm retreat:air>101",
            "retreat:air>101",
            "A chance must be between 0% and 100%, not 101%.",
        ),
    ]
)
def test_the_caret_stands_under_the_wrong_word(line: str, marked: str, sentence: str) -> None:
    found, reason = wrong(line)
    assert found == marked
    assert reason.startswith(sentence)


def test_a_mistake_in_a_preset_is_shown_under_its_name() -> None:
    found, reason = wrong("march adice:8,8,8 abombers:1")
    assert (found, reason[:43]) == ("adice:8,8,8", "Ships work only with plain six-sided dice; ")
    saved = {"far": "20 > 5 > 4 variant:coin"}
    with pytest.raises(MatchupError) as error:
        parse("far bombers:1", saved)
    assert error.value.text.splitlines()[1:3] == ["far bombers:1", "^^^"]


@each(["exact", "late", "leave", "value", "variant", "reshape", "icons", "dicons", "icon"])
def test_words_of_the_notation_are_no_preset_names(name: str) -> None:
    assert not is_name(name)


@each(["march", "bunker", "blitz", "d8", "exactly"])
def test_names_of_variants_may_be_preset_names(name: str) -> None:
    assert is_name(name)
    assert unknown_words(f"20 > {name} 80% > 5 variant:{name}") == [name]


# Lines that are made to take long -----------------------------------------------------------------------


@each(pick(WORDS[::3], WORDS))
def test_every_nasty_line_is_read_or_refused(word: str) -> None:
    """Each is read or refused; how long that takes is measured by tests/benchmarks/test_reading_speed.py."""
    read_slow_lines(word)


def test_faces_may_stand_in_any_order() -> None:
    assert battle("3 4 icons:-,D,AAD").faces == (Faces.of(["AAD", "D", ""]),) * 2
    assert battle("3 4 reshape:0.05,1.3,0.1,1.8").reshape == Reshape()
