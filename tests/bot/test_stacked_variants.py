"""Variants that stack: their sums are right die by die, contradictions are refused, and every reader knows them."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product

from bot.discord_app.client import Client
from bot.notation.defaults import SUITED
from bot.packs import Pack, find, load, with_variant_rules
from bot.phrases.after.reader import understand_after
from bot.phrases.reader import understand
from bot.rooms import ROOMS
from solver import Battle
from solver.dice.rolls import round_law
from solver.errors import BattleError
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import battle_of, read_battle, write
from tests.helpers.cases import each

Dice = list[int]
Change = Callable[[Dice, Dice], tuple[Dice, Dice]]


def held(dice: Dice) -> Dice:
    """Dice after a bonus of Risk Legacy: from 1 to 6, sorted again."""
    return sorted((min(max(die, 1), 6) for die in dice), reverse=True)


def more(attack: tuple[int, ...], defence: tuple[int, ...]) -> Change:
    """What adds these bonuses to the highest die, the second, ..."""

    def change(ours: Dice, theirs: Dice) -> tuple[Dice, Dice]:
        return (
            [die + plus for die, plus in zip(ours, (*attack, 0, 0, 0, 0), strict=False)],
            [die + plus for die, plus in zip(theirs, (*defence, 0, 0, 0, 0), strict=False)],
        )

    return change


def by_hand(attack: Dice, defence: Dice, change: Change, tied: int = 0) -> dict[tuple[int, int], Fraction]:
    """The law of a round over every fall of these dice; `tied` is 1 if equal dice cost the defender."""
    law = Counter[tuple[int, int]]()
    for faces in product(*(range(1, sides + 1) for sides in (*attack, *defence))):
        ours, theirs = (sorted(some, reverse=True) for some in (faces[: len(attack)], faces[len(attack) :]))
        pairs = list(zip(*change(ours, theirs), strict=False))
        won = sum(mine > other or (mine == other and bool(tied)) for mine, other in pairs)
        law[len(pairs) - won, won] += 1
    return {lost: Fraction(ways, law.total()) for lost, ways in law.items()}


PLAIN = more((), ())


@each(
    [
        ("2210-naval,station", [8, 6, 6], [8, 8], PLAIN, 0),
        ("2210-naval,land,2210-defence", [8, 8, 6], [8, 6], PLAIN, 0),
        ("bunker,fortification", [6, 6, 6], [6, 6], lambda a, d: (a, held([d[0] + 2, d[1] + 1])), 0),
        ("bunker,d8-defence", [6, 6, 6], [8, 8], lambda a, d: (a, sorted([min(d[0] + 1, 8), d[1]], reverse=True)), 0),
        ("wall,zombies-attack", [6, 6], [6, 6, 6], PLAIN, 0),
        ("castle,general,marshal", [6, 6], [6, 6], more((1,), (1,)), 0),
        ("lotr-leaders,stronghold", [6, 6, 6], [6, 6], more((1,), (2,)), 0),
        ("war-god,attack-die", [6, 6, 6, 6], [6, 6], PLAIN, 1),
        ("d10,dice-2v2", [10, 10], [10, 10], PLAIN, 0),
    ]
)
def test_stacked_variants_have_the_odds_of_every_die(
    names: str, attack: Dice, defence: Dice, change: Change, tied: int
) -> None:
    pack = find(names)
    assert pack
    assert round_law(pack.battle(9, 9)) == by_hand(attack, defence, change, tied)


@each(
    [
        ("bunker adice:8,8,8 ddice:8,8", {"attack": {"dice": [8, 8, 8]}, "defence": {"dice": [8, 8]}}, "bunker,d8"),
        (
            "bunker aexplosions:1 dexplosions:1",
            {"attack": {"explosions": 1}, "defence": {"explosions": 1}},
            "bunker,explode-once",
        ),
        ("magic-goddess-defence dice:3v3", {"defence": {"dice": [6, 6, 6]}}, "magic-goddess-defence,risiko"),
        ("2210-station dice:4v3", {"attack": {"dice": [6] * 4}, "defence": {"dice": [8] * 3}}, "2210-station,dice-4v3"),
    ]
)
def test_a_variant_suits_the_dice_of_a_line_as_those_of_another_variant(
    line: str, document: dict[str, object], names: str
) -> None:
    together, key = read_battle(f"9 9 variant:{names}"), line.split()[0]
    battle = read_battle(f"9 9 variant:{line}")
    assert battle.pools == together.pools
    assert read_battle(write(battle)) == battle
    asked = with_variant_rules({"variant": key, "attackers": 9, "defenders": 9, **document})
    assert Battle.from_dict(asked).pools == together.pools


@each(
    [
        ("9 9 variant:bunker ddice:8,8", (8, 8), (1, 6)),
        ("9 9 variant:d8 dice:4v3", (8, 8, 6), None),
        ("9 9 variant:fortification dice:2v1", (6,), (1, 6)),
    ]
)
def test_old_logs_keep_variants_that_were_not_suited_to_dice(
    line: str, dice: tuple[int, ...], clamp: tuple[int, int] | None
) -> None:
    battle = battle_of(line, SUITED - 1)
    assert (battle.defence.dice, battle.defence.clamp) == (dice, clamp)


def test_the_order_of_stacked_variants_makes_no_difference() -> None:
    pairs = [*combinations([pack.key for pack in load().values() if pack.game == "risk"], 2)]
    sums = [(together(one, other), together(other, one)) for one, other in pairs]
    assert all(one == other for one, other in sums)
    assert all(find(pack.key) == pack for pack, _other in sums if isinstance(pack, Pack))
    refused = [pack for pack, _other in sums if pack == REFUSED]
    assert len(pairs) / 2 > len(refused) > 50


REFUSED = "contradiction"


def together(one: str, other: str) -> Pack | str | None:
    """Two variants as one, or that they can't be."""
    try:
        return find(f"{one},{other}")
    except BattleError:
        return REFUSED


def test_a_sum_that_has_a_name_is_called_by_it() -> None:
    joined = [pack for pack in load().values() if pack.both]
    assert all(find(",".join(pack.both.split())) is pack for pack in joined)
    assert len(joined) > 5


@each(
    [
        ("12 vs 9, leader attacks, stronghold defends", "12 9 variant:lotr-siege"),
        ("12 vs 9, leader against a stronghold", "12 9 variant:lotr-siege"),
        ("12 against 9, naval commander against a space station", "12 9 variant:2210-station-one"),
        ("12 with a commander vs 9 with a commander in a space station", "12 9 variant:2210,2210-station"),
        ("12 vs 9, bunker plus fortification", "12 9 variant:bunker,fortification"),
        ("12 9 2210-naval, 2210-station", "12 9 variant:2210-naval,2210-station"),
        ("12 vs 9, we play TEG", "12 9 variant:teg"),
        ("12 vs 9, zombies over a wall", "12 9 variant:wall,zombies-attack"),
        ("20 zombies against 9 behind a wall", "20 9 variant:wall,zombies-attack"),
        ("12 gegen 9, Zombies über eine Mauer", "12 9 variant:wall,zombies-attack"),
        ("12 gegen 9, der Anführer greift an, die Festung verteidigt", "12 9 variant:lotr-siege"),
        ("12 contra 9, comandante naval contra una estación espacial", "12 9 variant:2210-station-one"),
        ("12 против 9, морской командир против космической станции", "12 9 variant:2210-station-one"),
        ("12 против 9, бункер и укрепление", "12 9 variant:bunker,fortification"),
        ("12 gegen 9, Bunker plus Befestigung", "12 9 variant:bunker,fortification"),
        ("12 contra 9, búnker más fortificación", "12 9 variant:bunker,fortification"),
        ("12 contra 9, líder contra una fortaleza", "12 9 variant:lotr-siege"),
        ("12 против 9, лидер против крепости", "12 9 variant:lotr-siege"),
        ("12 contra 9, zombis por encima del muro", "12 9 variant:wall,zombies-attack"),
        ("12 против 9, зомби через стену", "12 9 variant:wall,zombies-attack"),
        ("12 vs 9, naval commander vs diplomat", "12 9 variant:2210"),
        ("12 vs 9 with a bunker or with a wall", "/compare 12 9 variant:bunker or 12 9 variant:wall"),
        (
            "12 gegen 9 mit Bunker oder auch mit Befestigung",
            "/compare 12 9 variant:bunker or 12 9 variant:bunker,fortification",
        ),
        ("14 with a leader attack a stronghold with 9", "14 9 variant:lotr-siege"),
        ("**Attacker wins 56.3%** · 12 against 9 · Wall + LotR, stronghold", "12 9 variant:wall,lotr-stronghold"),
    ]
)
def test_variants_are_stacked_in_the_words_of_players(said: str, line: str) -> None:
    understood = understand(ROOMS, said)
    assert understood.line == line, [offer.line for offer in understood.offers]


@each(
    [
        ("12 9 variant:bunker,fortification", "without the bunker", ["12 9 variant:fortification"]),
        ("12 9 variant:lotr-siege", "ohne den Anführer", ["12 9 variant:lotr-stronghold"]),
        ("12 9 aexplosions:1 dexplosions:1", "no exploding dice", ["12 9"]),
        ("12 9 drerolls:1 bytotal", "con reglas normales", ["12 9"]),
        ("12 9", "with a leader", ["12 9 variant:lotr-leader", "12 9 variant:lotr-leader-defence"]),
    ]
)
def test_follow_ups_take_rules_away_and_ask_which_one_comes(after: str, said: str, lines: list[str]) -> None:
    understood = understand_after(ROOMS, said, after)
    assert [understood.line] == lines or [offer.line for offer in understood.offers] == lines


@each(
    [
        ("12 vs 9, naval commander vs space station with a commander", "12 9 variant:2210,2210-station"),
        ("9 with a leader in a stronghold vs 12", "12 9 variant:lotr-stronghold-leader"),
        ("9 Zombies hinter einer Mauer gegen 12", "12 9 variant:wall,zombies-defend"),
        ("12 gegen 9 mit Mauer", "12 9 variant:wall"),
        ("12 vs 9 die by die with a bunker", "12 9 variant:bunker,late-die"),
    ]
)
def test_places_leaders_and_rules_that_may_be_meant_otherwise_are_asked_about(said: str, line: str) -> None:
    understood = understand(ROOMS, said)
    assert (understood.line, understood.offers[0].line) == ("", line)


async def test_stacked_variants_are_explained_answered_and_rolled(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    told = await alice.sends("help", topic="2210-naval,station")
    assert "All defenders of a space station roll eight-sided dice." in told.content
    shown = await alice.presses(told, told.labels[0])
    assert shown.content.startswith("**Attacker wins 56.3%** · 12 against 9 · 2210, naval commander + ")
    assert line_of(shown) == "12 9 variant:2210-naval,2210-station"
    swapped = await alice.presses(shown, "Swap sides")
    assert line_of(swapped) == "9 12 adice:8,8,8 ddice:8,6"
    saved = await alice.sends("preset save", name="alamo", matchup="4 3 variant:late-die,lotr-leader")
    assert "`4 3 variant:lotr-leader,late-die`" in saved.content
    rolled = await alice.presses(await alice.sends("roll", matchup="alamo"), "Roll to the end")
    assert "no problems found" in (await alice.presses(rolled, "Verify")).content
    wrong = await alice.sends("help", topic="d8,d10")
    assert wrong.content == "`d8` and `d10` contradict each other: both set `adice`."
