"""Choices of how many dice to roll, before the roll and after seeing it: against following every choice to its end."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Battle, BattleError, Pool, Ships, Ties, solve
from solver.dice.advice import advice
from solver.dice.choices import early_table
from solver.dice.exact import attacker_wins
from solver.dice.sizes import win_chances
from tests.helpers.cases import each
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.any_battle import survivors

decided_ties = st.sampled_from(["defender", "attacker", "both"])
pools = st.builds(
    lambda dice, rerolls, bonus, clamp: Pool(tuple(dice), rerolls, tuple(bonus[: len(dice)]), clamp),
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.integers(0, 2),
    st.lists(st.integers(-2, 2), max_size=2),
    st.none() | st.tuples(st.integers(0, 3), st.integers(3, 8)),
)
small = st.integers(0, 4)


@given(pools, pools, decided_ties, small, small, st.integers(0, 2), st.integers(0, 2))
def test_a_late_choice_is_the_worst_for_the_attacker(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, stop: int, reserve: int
) -> None:
    battle = Battle(attackers, defenders, attack, defence, ties=ties, stop=stop, reserve=reserve, late=True)
    held = min(reserve, attackers)
    start = attackers - held, defenders
    worth, ends = brute_more.late(attack, defence, ties, start, max(stop - held, 0), standing_by=held > 0)
    assert attacker_wins(battle) == worth
    odds = solve(battle)
    assert odds.attacker_wins == pytest.approx(float(worth), rel=1e-12)
    assert survivors(odds) == pytest.approx({(a + held, d): float(share) for (a, d), share in ends.items()}, rel=1e-11)


pools_of_two = st.builds(
    lambda dice, rerolls, bonus, once, explosions, leader: Pool(
        tuple(dice), rerolls, tuple(bonus[: len(dice)]), once=once, explosions=explosions, leader=leader
    ),
    st.lists(st.integers(2, 6), min_size=1, max_size=2),
    st.sampled_from([0, 0, 1, 2]),
    st.lists(st.integers(-2, 2), max_size=2),
    st.booleans(),
    st.sampled_from([0, 0, 1]),
    st.sampled_from([0, 0, 1]),
)


@given(pools, pools_of_two, decided_ties, small, small, st.integers(0, 2))
def test_a_choice_after_the_first_die_is_the_worst_for_the_attacker(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, stop: int
) -> None:
    battle = Battle(attackers, defenders, attack, defence, ties=ties, stop=stop, late="die")
    worth, ends = brute_more.late(attack, defence, ties, (attackers, defenders), stop, by_die=True)
    assert attacker_wins(battle) == worth
    odds = solve(battle)
    assert odds.attacker_wins == pytest.approx(float(worth), rel=1e-12)
    assert survivors(odds) == pytest.approx({end: float(share) for end, share in ends.items()}, rel=1e-11)


def test_a_defender_who_rolls_die_by_die_is_better_off_than_one_who_chooses_before() -> None:
    assert solve(Battle(12, 9, late="die")).attacker_wins == pytest.approx(0.6554111338)
    assert solve(Battle(12, 9, late=True)).attacker_wins == pytest.approx(0.7021913047)


@given(pools, pools, decided_ties, st.integers(0, 20), st.integers(0, 20))
def test_a_late_choice_never_hurts_the_defender(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int
) -> None:
    late = solve(Battle(attackers, defenders, attack, defence, ties=ties, late=True))
    assert late.chances.sum() == pytest.approx(1, abs=1e-12)
    assert late.never == 0
    always_all = solve(Battle(attackers, defenders, attack, defence, ties=ties))
    assert late.attacker_wins <= always_all.attacker_wins + 1e-12


@pytest.mark.parametrize(("armies", "usual", "late"), [(20, 0.633, 0.467), (5, 0.506, 0.432)])
def test_seeing_the_roll_first_is_worth_a_lot_to_the_defender(armies: int, usual: float, late: float) -> None:
    assert solve(Battle(armies, armies)).attacker_wins == pytest.approx(usual, abs=5e-4)
    assert solve(Battle(armies, armies, late=True)).attacker_wins == pytest.approx(late, abs=5e-4)


def test_a_late_defender_with_1_army_has_no_choice() -> None:
    for attackers in range(1, 6):
        late, usual = Battle(attackers, 1, late=True), Battle(attackers, 1)
        assert attacker_wins(late) == attacker_wins(usual)


def test_a_late_defender_risks_1_army_after_a_high_roll() -> None:
    kernel = Battle(20, 20, late=True).chain().kernel()
    chosen = kernel.best_choices(kernel.worth, (20, 20))  # type: ignore[union-attr]
    dice = {values: 2 - option for values, option in chosen.items()}
    assert (dice[6, 6], dice[6, 5], dice[5, 5]) == (1, 1, 1)
    assert (dice[1, 1], dice[2, 2], dice[6, 1], dice[3, 3]) == (2, 2, 2, 2)
    assert len(dice) == 21


@given(
    pools,
    pools,
    st.sampled_from(["defender", "attacker", "both", "neither"]),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(0, 2),
    st.sampled_from(["most", "least"]),
)
def test_advice_agrees_with_the_best_of_all_choices(
    attack: Pool, defence: Pool, ties: Ties, attackers: int, defenders: int, stop: int, side: str
) -> None:
    battle = Battle(attackers, defenders, attack, defence, ties=ties, stop=stop)
    given = advice(battle)[side == "least"]
    rolled = battle.chain()
    harmless = any(
        set(brute.round_law(attack, defence, a, d, ties)) == {(0, 0)}
        for a, d in product(range(1, len(rolled.attack.dice) + 1), range(1, len(rolled.defence.dice) + 1))
    )
    if attackers <= stop or harmless:
        assert given is None
        return
    assert given is not None
    worth, dice = brute_more.early(attack, defence, ties, side, (attackers, defenders), stop)
    assert given.best == pytest.approx(float(worth), rel=1e-11, abs=1e-15)
    assert (given.dice, given.most) == (dice, len((rolled.attack if side == "most" else rolled.defence).dice))
    assert given.usual == pytest.approx(solve(battle).attacker_wins, rel=1e-12)
    assert given.gain == pytest.approx(abs(given.best - given.usual), abs=1e-15)


def test_advice_counts_the_reserve_like_the_odds() -> None:
    bare, escorted = Ships(capitals=1), Ships(1, 1, 0)
    for side, battle in (
        ("most", Battle(7, 5, attack_ships=bare, reserve=3)),
        ("least", Battle(9, 8, attack_ships=bare, defence_ships=escorted, reserve=2, stop=4)),
    ):
        given = advice(battle)[side == "least"]
        assert given is not None
        assert given.usual == pytest.approx(solve(battle).attacker_wins, rel=1e-12)
        sign = 1 if side == "most" else -1
        assert sign * (given.best - given.usual) >= -1e-12


def test_classic_risk_never_advises_fewer_dice() -> None:
    rules: list[dict[str, object]] = [
        {},
        {"attack": Pool((6,) * 4), "defence": Pool((6,) * 3)},
        {"ties": "attacker"},
        {"defence": Pool((8, 8))},
    ]
    for rule, side in product(rules, ("most", "least")):
        chain = Battle(14, 14, **rule).chain()  # type: ignore[arg-type]
        table = early_table(chain.attack, chain.defence, chain.ties, side)
        assert table is not None
        table.find_choices(chain.win_pays(), 0)
        for cell in product(range(1, 15), range(1, 15)):
            assert list(table.best_choices(table.worth, cell).values()) == [0], (
                rule,
                side,
                cell,
                "all dice are the first option",
            )
        assert table.worth == pytest.approx(win_chances(Battle(1, 1, **rule), 14, 14), rel=1e-12)  # type: ignore[arg-type]


@pytest.mark.whole
def test_with_ships_the_defender_rolls_one_die_in_128_of_196_battles() -> None:
    """A bomber and a capital ship defend against a capital ship."""
    fewer = 0
    for a, d in product(range(1, 15), repeat=2):
        given = advice(Battle(a, d, attack_ships=Ships(0, 0, 1), defence_ships=Ships(0, 1, 1)))[1]
        assert given is not None
        fewer += given.dice < given.most
    assert fewer == 128


@pytest.mark.parametrize(("ships", "points"), [(Ships(0, 0, 1), 0.007), (Ships(0, 1, 1), 0.056)])
def test_an_8_sided_die_alone_may_beat_adding_a_6_sided_die(ships: Ships, points: float) -> None:
    given = advice(Battle(2, 2, attack_ships=ships))[0]
    assert given is not None
    assert (given.dice, given.most) == (1, 2)
    assert given.best - given.usual == pytest.approx(points, abs=5e-4)


def test_advice_is_only_given_where_there_is_a_choice_of_dice() -> None:
    assert advice(Battle(0, 5)) == (None, None)
    assert advice(Battle(5, 0)) == (None, None)
    assert advice(Battle(5, 5, stop=5)) == (None, None)
    assert advice(Battle(5, 5, rounds=3)) == (None, None)
    assert advice(Battle(5, 5, value=3)) == (None, None)
    assert advice(Battle(5, 5, late=True)) == (None, None)


@each([{"ties": "neither"}, {"rounds": 3}, {"value": 3}, {"late": 1}])
def test_a_late_choice_with_unsupported_rules_is_refused(other: dict[str, object]) -> None:
    with pytest.raises(BattleError) as error:
        Battle(5, 5, **{"late": True, **other})  # type: ignore[arg-type]
    assert error.value.field == "late"


def test_a_table_of_late_choices_has_every_size() -> None:
    chances = win_chances(Battle(1, 1, late=True), 9, 7)
    for a, d in product(range(1, 10), range(1, 8)):
        assert chances[a, d] == pytest.approx(float(attacker_wins(Battle(a, d, late=True))), rel=1e-12)
