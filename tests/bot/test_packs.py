"""Rule packs: the shipped ones are right, a host's own need no code, and a wrong one is refused in a sentence."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bot import packs
from bot.errors import UserError
from bot.packs import Pack, load, row_text
from bot.settings import CONFIG
from solver import Battle, solve
from solver.dice.exact import attacker_wins
from solver.dice.pools import loss_laws
from tests.helpers import forked
from tests.helpers.bot.lines import parse
from tests.helpers.cases import check_each, each
from tests.helpers.program import write_config

ROOT = Path(__file__).parents[2]
NOWHERE = Path("nowhere")
SHIPPED = load(own=NOWHERE)

# The dice of both sides, and the attacker's chance with one army against one: 36, 48, 64... pairs, counted by hand.
BY_HAND = {
    "2210": (3, 2, "7/16"),
    "2210-attack": (3, 2, "9/16"),
    "2210-attack-two": (3, 2, "9/16"),
    "2210-attack-three": (3, 2, "9/16"),
    **dict.fromkeys(("2210-naval", "2210-land", "2210-space", "2210-nuclear"), (3, 2, "9/16")),
    "2210-defence": (3, 2, "5/16"),
    "2210-defence-two": (3, 2, "5/16"),
    "2210-two": (3, 2, "7/16"),
    "2210-three": (3, 2, "7/16"),
    "2210-station": (3, 2, "5/16"),
    "2210-station-one": (3, 2, "7/16"),
    "bunker": (3, 2, "5/18"),
    "ammo-shortage": (3, 2, "5/9"),
    "fortification": (3, 2, "5/18"),
    "war-god": (3, 2, "7/12"),
    "magic-goddess": (3, 2, "1/2"),
    "magic-goddess-defence": (3, 2, "1/3"),
    "capital-city": (3, 3, "5/12"),
    "wall": (3, 3, "5/12"),
    "capital-wall": (3, 4, "5/12"),
    "zombies-attack": (2, 2, "5/12"),
    "zombies-defend": (3, 2, "7/12"),
    "lotr-leader": (3, 2, "7/12"),
    "lotr-leader-defence": (3, 2, "5/18"),
    "lotr-leaders": (3, 2, "5/12"),
    "lotr-stronghold": (3, 2, "5/18"),
    "lotr-stronghold-leader": (3, 2, "1/6"),
    "lotr-siege": (3, 2, "5/12"),
    "castle": (2, 2, "5/12"),
    "general": (3, 2, "7/12"),
    "marshal": (3, 2, "5/18"),
    "risiko": (3, 3, "5/12"),
    "halo-hero": (3, 2, "7/12"),
    "halo-hero-all": (3, 2, "7/12"),
    "halo-hero-defence": (3, 2, "5/18"),
    "attack-die": (4, 2, "5/12"),
    "defence-die": (3, 3, "5/12"),
    "attack-bonus": (4, 2, "125/216"),
    "defence-bonus": (3, 3, "55/216"),
    "teg": (3, 3, "5/12"),
    "war": (3, 3, "5/12"),
    "dice-wars": (8, 8, "5/12"),
    "risk-europe": (3, 2, "5/12"),
    "lux": (3, 2, "5/12"),
    "conquer-club": (3, 2, "5/12"),
    "leader-die": (3, 2, "7/12"),
    "leader-die-defence": (3, 2, "5/18"),
    "explode-once": (3, 2, "185/432"),
    "late-die": (3, 2, "5/12"),
    "late-defence": (3, 2, "5/12"),
    "d8": (3, 2, "7/16"),
    "d8-attack": (3, 2, "9/16"),
    "d8-defence": (3, 2, "5/16"),
    "d10": (3, 2, "9/20"),
    "d10-attack": (3, 2, "13/20"),
    "d10-defence": (3, 2, "1/4"),
    "d12": (3, 2, "11/24"),
    "d12-attack": (3, 2, "17/24"),
    "d12-defence": (3, 2, "5/24"),
    "dice-1v1": (1, 1, "5/12"),
    "dice-2v2": (2, 2, "5/12"),
    "dice-4v3": (4, 3, "5/12"),
    "ties-both": (3, 2, "5/12"),
    "ties-neither": (3, 2, "1/2"),
    "starwars": (3, 2, "5/12"),
}
RESHAPED = {"blitz", "blitz-capital"}
ICONS = {"coin", "battle-dice", "warzone", "warzone-straight"}


def test_every_shipped_variant_has_a_test() -> None:
    assert set(SHIPPED) == set(BY_HAND) | RESHAPED | ICONS
    assert {pack.key for pack in SHIPPED.values() if pack.game == "icons"} == ICONS
    assert len({pack.name for pack in SHIPPED.values()}) == len(SHIPPED)
    assert all(SHIPPED[key].rules["reshape"] for key in RESHAPED)
    assert SHIPPED["late-defence"].rules == {"late": True}


@each(BY_HAND)
def test_each_variant_has_the_odds_of_1_against_1_by_hand(key: str) -> None:
    battle = SHIPPED[key].battle(1, 1)
    attack, defence, chance = BY_HAND[key]
    assert (len(battle.attack.dice), len(battle.defence.dice)) == (attack, defence)
    assert str(attacker_wins(battle)) == chance


@each(
    [
        ("2210", (8, 6, 6), (8, 6)),
        ("2210-attack-two", (8, 8, 6), (6, 6)),
        ("2210-attack-three", (8, 8, 8), (6, 6)),
        ("2210-defence", (6, 6, 6), (8, 6)),
        ("2210-defence-two", (6, 6, 6), (8, 8)),
        ("2210-two", (8, 8, 6), (8, 8)),
        ("2210-three", (8, 8, 8), (8, 8)),
        ("2210-station-one", (8, 6, 6), (8, 8)),
    ]
)
def test_commanders_and_stations_bring_eight_sided_dice(
    key: str, attack: tuple[int, ...], defence: tuple[int, ...]
) -> None:
    battle = SHIPPED[key].battle(9, 9)
    assert (battle.attack.dice, battle.defence.dice, battle.ties) == (attack, defence, "defender")


@each(
    [
        ("bunker", (1, 1), (0.278, 0.722)),
        ("bunker", (1, 2), (0.139, 0.861)),
        ("bunker", (2, 1), (0.417, 0.583)),
        ("bunker", (2, 2), (0.147, 0.320, 0.533)),
        ("bunker", (3, 1), (0.494, 0.506)),
        ("bunker", (3, 2), (0.239, 0.408, 0.352)),
    ]
)
def test_the_published_table_of_bunkers(key: str, dice: tuple[int, int], published: tuple[float, ...]) -> None:
    assert round_of(key, *dice) == pytest.approx(published, abs=0.00051)


@each([("bunker", (1860, 3176, 2740)), ("fortification", (1470, 2436, 3870)), ("ammo-shortage", (4120, 2061, 1595))])
def test_the_published_counts_of_risk_legacy(key: str, published: tuple[int, ...]) -> None:
    assert round_of(key, 3, 2) == [Fraction(count, 7776) for count in published]


def round_of(key: str, attack: int, defence: int) -> list[Fraction]:
    """The chances of a round in which the attacker loses 0, 1, ... armies and the defender the rest."""
    battle = SHIPPED[key].battle(9, 9)
    law = loss_laws(battle.attack, battle.defence, battle.ties)[attack - 1][defence - 1]
    pairs = min(attack, defence)
    return [law[lost, pairs - lost] for lost in range(pairs + 1)]


def test_the_published_odds_of_zombies_and_capitals() -> None:
    assert solve(SHIPPED["zombies-defend"].battle(300, 800)).attacker_wins == pytest.approx(0.8897331, abs=1e-6)
    odds = solve(SHIPPED["capital-city"].battle(30, 15))
    lost_twelve = odds.chances[(odds.attackers_end == 18) & (odds.defenders_end == 0)]
    assert lost_twelve == pytest.approx(0.0222128001707278)


@each([(20, 0.467), (5, 0.432)])
def test_a_defender_who_decides_late_gains_much(armies: int, chance: float) -> None:
    assert solve(SHIPPED["late-defence"].battle(armies, armies)).attacker_wins == pytest.approx(chance, abs=0.0005)


def test_the_published_odds_of_balanced_blitz() -> None:
    odds = solve(SHIPPED["blitz-capital"].battle(30, 15))
    lost_twelve = odds.chances[(odds.attackers_end == 18) & (odds.defenders_end == 0)]
    assert lost_twelve == pytest.approx(0.0100282888709122, rel=1e-6)
    chances = [solve(SHIPPED["blitz"].battle(armies, 50)).attacker_wins for armies in (48, 49)]
    assert chances[0] < 0.8 <= chances[1]


@each(
    [
        ("coin", 3, 0),
        ("coin", 4, 1),
        ("battle-dice", 3, 0.0186),
        ("battle-dice", 4, 0.4079),
        ("battle-dice", 5, 0.9073),
    ]
)
def test_the_published_odds_of_icons(key: str, attackers: int, chance: float) -> None:
    defenders = 3 if key == "coin" else 4
    assert solve(SHIPPED[key].battle(attackers, defenders)).attacker_wins == pytest.approx(chance, abs=0.00005)


def _described(packs: Mapping[str, Pack], game: str) -> list[str]:
    """Return the rows of the help about the packs of a game."""
    return [row_text(pack.key, pack.name, pack.about, pack.unsure) for pack in packs.values() if pack.game == game]


def test_unconfirmed_variants_are_marked() -> None:
    for line in (
        "12 9 variant:attack-die,defence-die",
        "20 > 5 variant:attack-die > 4 variant:defence-die",
        "12 siam > 3 india variant:attack-die",
        "12 siam > 3 india hold:2 variant:attack-die",
    ):
        assert parse(line).remarks == ("The exact wording of the reward is unconfirmed.",), line
    assert {pack.key for pack in SHIPPED.values() if pack.unsure} == {
        *("fortification", "magic-goddess", "magic-goddess-defence", "blitz", "blitz-capital", "late-defence"),
        *("lotr-stronghold-leader", "halo-hero", "halo-hero-all", "halo-hero-defence", "attack-die", "defence-die"),
        *("attack-bonus", "defence-bonus", "warzone-straight", "risk-europe", "conquer-club"),
    }
    assert all(("(unconfirmed)" in row) is bool(SHIPPED[row.split()[0]].unsure) for row in _described(SHIPPED, "risk"))


def test_a_row_of_the_help_is_short_and_names_its_variant() -> None:
    rows = _described(SHIPPED, "risk")
    assert [row.split("  ")[0] for row in rows] == [pack.key for pack in SHIPPED.values() if pack.game == "risk"]
    assert max(map(len, rows)) < 100
    assert "dice-1v1  One die each: Each side rolls at most one die." in rows
    assert [row.split("  ")[0] for row in _described(SHIPPED, "icons")] == [
        "coin",
        "battle-dice",
        "warzone",
        "warzone-straight",
    ]
    long = Pack("a" * 24, "risk", "b" * 24, "word " * 50, "", "not at all", {})
    (row,) = _described({long.key: long}, "risk")
    assert row.startswith(f"{'a' * 24}  {'b' * 24} (unconfirmed): word")
    assert len(row) < 100


# A host's own -------------------------------------------------------------------------------------------

CLUB = '[club]\nname = "Club night"\nabout = "Tens."\nsource = "us"\n'


def own(folder: Path, text: str | bytes, game: str = "risk") -> Path:
    return write_config(folder, "games", game, text)


def test_variants_of_the_host_need_no_code(tmp_path: Path) -> None:
    file = own(tmp_path, CLUB + 'attack = { dice = [10, 10] }\nties = "both"\n' + CLUB.replace("club", "wall"))
    found = load(own=file.parent)
    rules = {"attack": {"dice": [10, 10]}, "ties": "both"}
    assert found["club"] == Pack("club", "risk", "Club night", "Tens.", "us", "", {"club": rules})
    club = Battle.from_dict({"game": "risk", "attackers": 5, "defenders": 4, **rules})
    assert found["club"].battle(5, 4) == replace(club, variant="club")
    assert found["wall"].name == "Club night"
    assert set(found) == set(SHIPPED) | {"club"}


def test_the_folder_of_variants_of_a_checkout_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def reading(folder: Path) -> dict[str, Pack]:
        read.append(folder)
        return {}

    monkeypatch.setattr(packs, "_folder", reading)
    monkeypatch.chdir(ROOT)
    load.cache_clear()
    load()
    load.cache_clear()
    assert read == [CONFIG / "games"]


def test_the_example_for_star_wars_works(tmp_path: Path) -> None:
    text = (CONFIG / "games" / "starwars.toml").read_text()
    assert tomllib.loads(text).keys() == {"starwars"}
    example = text.partition("#\n")[2].replace("# ", "")
    pack = load(own=own(tmp_path, example, "starwars").parent)["escort"]
    assert pack.battle(12, 9).to_dict()["attack"] == {"fighters": 1, "bombers": 1, "capitals": 0, "dice": [6, 6, 6]}


# What is wrong ------------------------------------------------------------------------------------------


def test_a_wrong_variant_is_refused_with_file_key_and_reason(tmp_path: Path) -> None:
    def check(text: str | bytes, sentence: str) -> None:
        file = own(tmp_path, text)
        with pytest.raises(UserError) as error:
            load(own=file.parent)
        assert error.value.text.startswith(f"{file}{', ' * sentence.startswith('[')}{sentence}")
        assert error.value.text.endswith(".")

    check_each(
        [
            (CLUB + "attack = { dice = [6, 1] }", "[club] attack.dice: a die must have 2 to 100 sides, not 1."),
            (CLUB + 'attack = { dice = "6" }', '[club] attack.dice: this must be a list, not "6".'),
            (CLUB + "attack = 3", "[club] attack: this must be an object, not 3."),
            (
                CLUB + "attack = { edges = 3 }",
                ("[club] attack.edges: there is no such field; the fields are bonus, clamp, "),
            ),
            (CLUB + "attack = { sides = 1 }", "[club] attack.sides: the number must be 2 to 100, not 1."),
            (CLUB + 'both = "wall none"', "[club] both: give the names of packs that have rules of their own."),
            (CLUB + 'both = "war-god ties-both"', "[club] variant: `war-god` and `ties-both` contradict each other"),
            (CLUB + "defence = { clamp = [6, 1] }", "[club] defence.clamp: the smaller number must come first."),
            (CLUB + 'ties = "dog"', '[club] ties: ties must be one of defender, attacker, both, neither, not "dog".'),
            (
                CLUB + "tie = 3",
                "[club] tie: there is no such field; a pack has name, about, source, unsure, both, attack, ",
            ),
            (CLUB + "attackers = 3", "[club] attackers: there is no such field; a pack has name, "),
            ('[club]\nname = "x"\nsource = "us"', "[club] about: it is missing."),
            (CLUB.replace('"Tens."', "10"), "[club] about: input should be a valid string."),
            (CLUB.replace('"Tens."', '"  "'), "[club] about: one line of text is wanted."),
            (CLUB.replace('"Tens."', '"a\\nb"'), "[club] about: one line of text is wanted."),
            (CLUB.replace("Club night", "n" * 25), "[club] name: string should have at most 24 characters."),
            ("club = 3", "[club]: a pack is a table of fields, not 3."),
            (CLUB.replace("club", "bombers"), "[bombers]: this means something else in a battle already;"),
            (CLUB.replace("club", "capital"), "[capital]: this means something else in a battle already;"),
            (CLUB.replace("club", "vs"), "[vs]: this means something else in a battle already;"),
            (CLUB.replace("club", "12v9"), "[12v9]: this means something else in a battle already;"),
            (CLUB.replace("club", "v"), '["v"]: a name is 2 to 24 small letters, digits and '),
            (CLUB.replace("club", "Club"), '["Club"]: a name is 2 to 24 small letters, digits and '),
            (CLUB.replace("club", "club-"), '["club-"]: a name is 2 to 24 small letters, digits and '),
            (CLUB.replace("club", '"club\\n"'), '["club\\n"]: a name is 2 to 24 small letters, digits and '),
            (CLUB.replace("club", "c" * 25), '["' + "c" * 25 + '"]: a name is 2 to 24 small letters, digits and '),
            (CLUB + CLUB, " cannot be read: Cannot declare ('club',) twice"),
            ("[club", " cannot be read: Expected ']' at the end of a table declaration"),
            (b"\xff", " cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte."),
            ("a = " + "[" * 9_999, " cannot be read: "),
        ],
        check,
    )


def test_a_name_of_two_variants_is_refused(tmp_path: Path) -> None:
    first, second = own(tmp_path, CLUB, "risk"), own(tmp_path, CLUB, "starwars")
    with pytest.raises(UserError) as error:
        load(own=first.parent)
    assert error.value.text == f"{second}, [club]: this name is taken by a pack in {first}."


def test_a_file_of_variants_must_be_named_after_its_game(tmp_path: Path) -> None:
    file = own(tmp_path, CLUB, "chess")
    with pytest.raises(UserError, match=re.escape(f"{file}: there is no game of this name; the files here are risk.")):
        load(own=file.parent)


def test_an_unreadable_file_of_variants_is_refused(tmp_path: Path) -> None:
    folder = own(tmp_path, "").parent
    (folder / "icons.toml").mkdir()
    with pytest.raises(UserError, match=re.escape(f"{folder / 'icons.toml'} cannot be read: Is a directory.")):
        load(own=folder)


def test_the_program_does_not_start_with_a_wrong_variant(tmp_path: Path) -> None:
    def check(face: str) -> None:
        own(tmp_path, CLUB + "attack = { dice = [1] }")
        done = forked.run("bot", face, folder=tmp_path, environment={"SANDTABLE_DATA": str(tmp_path / "data")})
        sentence = b"config/games/risk.toml, [club] attack.dice: a die must have 2 to 100 sides, not 1.\n"
        assert (done.returncode, done.stdout) == (78 if face == "discord" else 2, b"")
        assert done.stderr.endswith(sentence)

    check_each(["discord", "solve", "12 9"], check)
