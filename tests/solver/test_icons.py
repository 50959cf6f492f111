"""Icon dice: against every roll listed, and the laws that any battle with them obeys."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Faces, Pool, Reshape, Ships, solve
from solver.dice.chain import DiceChain
from solver.dice.exact import attacker_wins
from solver.dice.icons import IconTable
from solver.dice.kill_rates import icon_table
from solver.dice.sizes import win_chances
from tests.helpers.cases import each
from tests.helpers.extent import examples
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.any_battle import survivors

words = st.lists(st.sampled_from(["", "A", "D", "AA", "AD", "DD", "AAD", "ADD", "AAA", "DDD"]), min_size=2, max_size=4)
dice = words.map(tuple)
small = st.integers(0, 3)
sizes = st.tuples(small, small)


def of_icons(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int], *, rounds: int | None = None, stop: int = 0
) -> Battle:
    return Battle(*size, faces=(Faces.of(ours), Faces.of(theirs)), rounds=rounds, stop=stop)


@each(["", "-", "blank", "Empty", "0"])
def test_a_blank_face_has_several_names(blank: str) -> None:
    assert Faces.of(["AAD", blank, "D"]).faces == ((2, 1), (0, 1), (0, 0))
    document = {"game": "icons", "faces": ["A", blank], "attackers": 3, "defenders": 4}
    assert Battle.from_dict(document) == of_icons(("A", ""), ("A", ""), (3, 4))


@each([0, [], "--", "A-", "blank D"])
def test_wrong_icon_faces_are_refused(face: object) -> None:
    with pytest.raises(BattleError, match="a face must be made of A and D"):
        Battle.from_dict({"game": "icons", "faces": ["A", face], "attackers": 3, "defenders": 4})


@given(dice, dice, sizes, st.integers(0, 2), st.integers(0, 2))
def test_small_icon_battles_agree_with_all_paths_by_brute_force(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int], stop: int, reserve: int
) -> None:
    start = max(size[0] - reserve, 0), size[1]
    law = brute.follow(brute_more.icons(ours, theirs), start, max(stop - reserve, 0))
    held = size[0] - start[0]
    odds = solve(Battle(*size, faces=(Faces.of(ours), Faces.of(theirs)), stop=stop, reserve=reserve))
    assert survivors(odds) == pytest.approx({(a + held, d): float(share) for (a, d), share in law.items()}, rel=1e-12)
    assert odds.never == pytest.approx(float(1 - sum(law.values())), abs=1e-12)


@given(dice, dice, sizes, st.integers(0, 4), st.integers(0, 1))
def test_icon_battles_with_a_limit_of_rounds_agree_with_brute_force(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int], rounds: int, stop: int
) -> None:
    law = brute.follow(brute_more.icons(ours, theirs), size, stop, rounds)
    battle = of_icons(ours, theirs, size, rounds=rounds, stop=stop)
    odds = solve(battle)
    assert survivors(odds) == pytest.approx({end: float(share) for end, share in law.items()}, rel=1e-12)
    still_open = sum(share for (a, d), share in law.items() if d and a > stop)
    assert odds.unresolved == pytest.approx(float(still_open), rel=1e-12)
    wins = sum((share for (a, d), share in law.items() if a and not d), Fraction(0))
    assert attacker_wins(battle) == wins


rates = st.lists(st.sampled_from(["", "A", "AA"]), min_size=2, max_size=4).map(tuple)
luck = st.sampled_from([0, 16, 50, 75])


@given(rates, rates, sizes, luck, st.none() | st.integers(1, 3), st.integers(0, 1))
def test_icon_battles_with_less_luck_agree_with_all_rolls(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int], luck: int, rounds: int | None, stop: int
) -> None:
    law = brute.follow(brute_more.icons(ours, theirs, luck=luck), size, stop, rounds)
    battle = replace(of_icons(ours, theirs, size, rounds=rounds, stop=stop), luck=luck)
    odds = solve(battle)
    assert survivors(odds) == pytest.approx({end: float(share) for end, share in law.items()}, rel=1e-12)
    assert odds.never == pytest.approx(float(1 - sum(law.values())), abs=1e-12)
    wins = sum((share for (a, d), share in law.items() if a and not d), Fraction(0))
    assert attacker_wins(battle) == wins
    assert win_chances(battle, *size)[size] == pytest.approx(float(wins), rel=1e-12)


def test_icon_dice_without_luck_have_certain_results() -> None:
    kills = Faces.of(["A", "A", "A", "", ""])
    assert [kills.kills(units, 0, 0) for units in (1, 2, 3, 4, 5, 10)] == [1, 1, 2, 2, 3, 6]
    assert kills.kills(100, 54, 50) == 57
    assert Faces.of(["A", ""]).kills(3, 0, 0) == 2, "a half is rounded up"
    battle = replace(of_icons(("A", "A", "A", "", ""), ("A",) * 7 + ("",) * 3, (6, 4), rounds=1), luck=0)
    assert win_chances(battle, 6, 4)[5:, 4].tolist() == [0, 1]


@given(dice, dice, sizes)
def test_the_fraction_of_icon_dice_agrees_with_all_rolls(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int]
) -> None:
    assert attacker_wins(of_icons(ours, theirs, size)) == brute_more.wins_of_icons(ours, theirs, size)


@given(dice, dice, sizes)
def test_the_average_rounds_of_icon_dice_agree_with_all_paths(
    ours: tuple[str, ...], theirs: tuple[str, ...], size: tuple[int, int]
) -> None:
    odds = solve(of_icons(ours, theirs, size))
    if odds.never:
        assert odds.rounds is None
    else:
        assert odds.rounds == pytest.approx(float(brute.rounds_fought(brute_more.icons(ours, theirs), size)), rel=1e-12)


@given(dice, dice, st.integers(1, 4), st.integers(1, 4))
def test_the_law_of_an_icon_round_agrees_with_all_rolls(
    ours: tuple[str, ...], theirs: tuple[str, ...], attackers: int, defenders: int
) -> None:
    law = IconTable(Faces.of(ours), Faces.of(theirs), exact=True).law(attackers, defenders)
    assert law == brute_more.icon_round(ours, theirs, attackers, defenders)


@given(dice, dice, st.integers(0, 12), st.integers(0, 12))
def test_swapping_sides_of_icon_dice_swaps_their_chances(
    ours: tuple[str, ...], theirs: tuple[str, ...], many: int, few: int
) -> None:
    there, back = solve(of_icons(ours, theirs, (many, few))), solve(of_icons(theirs, ours, (few, many)))
    assert survivors(there) == pytest.approx({(a, d): share for (d, a), share in survivors(back).items()}, rel=1e-11)
    assert there.never == pytest.approx(back.never, abs=1e-12)
    battle = of_icons(ours, theirs, (many, few))
    assert battle.swap_sides() == of_icons(theirs, ours, (few, many))


@given(dice, dice, st.integers(0, 15), st.integers(0, 15), st.none() | st.integers(0, 5))
def test_the_chances_of_icon_battles_add_up_to_1(
    ours: tuple[str, ...], theirs: tuple[str, ...], attackers: int, defenders: int, rounds: int | None
) -> None:
    odds = solve(of_icons(ours, theirs, (attackers, defenders), rounds=rounds))
    fates = odds.attacker_wins, odds.defender_wins, odds.draw, odds.unresolved, odds.never
    assert sum(fates) == pytest.approx(1, abs=1e-12)
    assert (odds.chances > 0).all()


@given(dice, dice, st.integers(1, 3), st.integers(1, 3))
def test_stuck_icon_battles_are_those_without_harmful_rolls(
    ours: tuple[str, ...], theirs: tuple[str, ...], attackers: int, defenders: int
) -> None:
    stuck = icon_table(Faces.of(ours), Faces.of(theirs)).stuck_cells((attackers + 1, defenders + 1))
    harmless = set(brute_more.icon_round(ours, theirs, attackers, defenders)) == {(0, 0)}
    assert stuck[attackers, defenders] == harmless


@each(
    [
        (["A", "D"], (3, 3), 0),
        (["A", "D"], (4, 3), 1),
        (["AA", "A", "D", "DD"], (3, 4), 0.0186),
        (["AA", "A", "D", "DD"], (4, 4), 0.4079),
        (["AA", "A", "D", "DD"], (5, 4), 0.9073),
    ]
)
def test_icon_battles_have_the_five_published_chances(faces: list[str], size: tuple[int, int], wins: float) -> None:
    odds = solve(of_icons(tuple(faces), tuple(faces), size))
    assert odds.attacker_wins == pytest.approx(wins, abs=5e-5)
    if wins in (0, 1):
        assert attacker_wins(of_icons(tuple(faces), tuple(faces), size)) == wins


def test_the_last_units_of_both_sides_may_fall_in_the_same_round() -> None:
    odds = solve(of_icons(("A", "D"), ("A", "D"), (3, 3)))
    assert odds.draw == 1, "each round costs both the same, so in the end nobody is left"
    assert solve(of_icons(("A", "A"), ("A", "A"), (2, 1))).attacker_wins == 1


@each([(("AD", "AD"),), (("AD", "D"),), (("D", ""),)])
def test_icon_dice_without_harm_never_end_a_battle(faces: tuple[str, ...]) -> None:
    odds = solve(of_icons(faces, faces, (1, 1)))
    assert (odds.never, odds.attacker_wins, odds.rounds) == (1.0, 0.0, None)
    assert attacker_wins(of_icons(faces, faces, (1, 1))) == 0
    waiting = solve(of_icons(faces, faces, (1, 1), rounds=4))
    assert (waiting.unresolved, waiting.rounds) == (1.0, 4.0)


@given(dice, dice, st.integers(1, 12), st.integers(1, 12))
def test_a_battle_is_stuck_from_the_beginning_or_comes_to_an_end(
    ours: tuple[str, ...], theirs: tuple[str, ...], attackers: int, defenders: int
) -> None:
    """Losses never lead to a place where nobody can lose any more.

    There the most attack icons of each side would be no more than the fewest defence icons of the other. Before the
    last loss the other side had as many or more to defend with, so only both together can have lost; but then the
    ratio of the sides would have had to rise and to fall.
    """
    odds = solve(of_icons(ours, theirs, (attackers, defenders)))
    stuck = bool(icon_table(Faces.of(ours), Faces.of(theirs)).stuck_cells((attackers + 1, defenders + 1))[-1, -1])
    assert odds.never == stuck


def test_the_order_and_repetition_of_icon_faces_make_no_difference() -> None:
    def chain(*faces: str) -> DiceChain:
        return of_icons(faces, faces, (5, 4)).chain()

    assert chain("A", "D") == chain("D", "A", "A", "D") == chain("d", "a")
    assert chain("A", "A") == chain("A", "A", "A")
    assert chain("A", "D") != chain("A", "D", "D")
    assert chain("AD", "DA", "") == chain("", "AD", "AD")


def test_the_smallest_chance_of_icon_dice_is_right() -> None:
    """No chance is lost in the noise of larger ones."""
    small = of_icons(("A", "D"), ("AA", "D", ""), (4, 9))
    assert solve(small).attacker_wins == pytest.approx(float(attacker_wins(small)), rel=1e-12, abs=0)
    hopeless = of_icons(("A", "D"), ("AA", "D", ""), (6, 12))
    assert 0 < solve(hopeless).attacker_wins < 1e-6
    assert solve(hopeless).attacker_wins == pytest.approx(float(attacker_wins(hopeless)), rel=1e-12, abs=0)


@examples(30)
@given(dice, dice, st.integers(0, 6), st.integers(0, 6), st.none() | st.integers(0, 5), st.integers(0, 2))
def test_the_odds_of_icon_dice_agree_with_the_fraction(
    ours: tuple[str, ...],
    theirs: tuple[str, ...],
    attackers: int,
    defenders: int,
    rounds: int | None,
    stop: int,
) -> None:
    battle = of_icons(ours, theirs, (attackers, defenders), rounds=rounds, stop=stop)
    assert solve(battle).attacker_wins == pytest.approx(float(attacker_wins(battle)), rel=1e-12, abs=0)


def test_an_icon_chance_below_float_range_is_no_true_zero() -> None:
    """All attackers have to hit in most rounds, and each does so once in sixty rolls."""
    rare, shield = ("A", *[""] * 59), ("AD", "D")
    odds = solve(of_icons(rare, shield, (46, 45)))
    assert (odds.attacker_wins, odds.true_zeros) == (0.0, False)
    with_rounds = solve(of_icons(rare, shield, (46, 45), rounds=8))
    assert (with_rounds.attacker_wins, with_rounds.true_zeros) == (0.0, False)
    assert attacker_wins(of_icons(rare, shield, (8, 7))) > 0
    for certain in (of_icons(("A", "D"), ("A", "D"), (3, 3)), of_icons(("A", "D"), ("AA", ""), (9, 5), rounds=2)):
        assert solve(certain).true_zeros


def test_a_fraction_of_icon_dice_of_too_much_work_is_refused() -> None:
    coin = "A", ""
    assert attacker_wins(of_icons(coin, coin, (8, 8), rounds=10)) > 0
    for battle in (
        of_icons(coin, coin, (60, 60)),
        of_icons(coin, coin, (12, 12), rounds=900),
        of_icons(coin, coin, (16, 16), rounds=10),
    ):
        with pytest.raises(BattleError, match="too large for a fraction"):
            attacker_wins(battle)


@each(
    [
        (["A"], "2 to 60"),
        (["A"] * 61, "2 to 60"),
        (["A", "B"], "a face must be made of A and D"),
        (["A", 1], "a face must be made of A and D"),
        (["A", "D" * 13], "0 to 12"),
        (["A" * 13, "D"], "0 to 12"),
    ]
)
def test_a_wrong_icon_die_is_refused(faces: list[str], reason: str) -> None:
    with pytest.raises(BattleError, match=reason) as error:
        Faces.of(faces)
    assert error.value.field == "faces"


@each(
    [
        ({"ties": "both"}, "faces"),
        ({"attack": Pool((6,))}, "faces"),
        ({"defence": Pool((8, 8))}, "faces"),
        ({"attack_ships": Ships(bombers=1)}, "faces"),
        ({"defence_ships": Ships(bombers=1)}, "faces"),
        ({"late": True}, "late"),
        ({"reshape": Reshape()}, "reshape"),
    ]
)
def test_icon_dice_refuse_rules_of_numbered_dice(rules: dict[str, object], field: str) -> None:
    faces = Faces.of(["A", "D"]), Faces.of(["A", "D"])
    with pytest.raises(BattleError) as error:
        Battle(3, 3, faces=faces, **rules)  # type: ignore[arg-type]
    assert error.value.field == field
