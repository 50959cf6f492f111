"""Random battles of Risk."""

from typing import get_args

from hypothesis import strategies as st

from solver import Battle, Odds, Pool, Ships, Ties

ties = st.sampled_from(get_args(Ties))

pools = st.builds(
    lambda dice, spare, rerolls, bonus, clamp, worst, once, explosions, leader: Pool(
        tuple(dice),
        rerolls,
        tuple(bonus[: max(len(dice) - spare, 1)]),
        clamp,
        max(len(dice) - spare, 1),
        worst,
        once,
        explosions,
        leader,
    ),
    st.lists(st.integers(2, 6), min_size=1, max_size=3),
    st.sampled_from([0, 0, 0, 1, 2]),
    st.integers(0, 3),
    st.lists(st.integers(-2, 2), max_size=3),
    st.none() | st.tuples(st.integers(0, 3), st.integers(3, 8)),
    st.booleans(),
    st.sampled_from([False, False, True]),
    st.sampled_from([0, 0, 0, 1]),
    st.sampled_from([0, 0, 1, -1, 2]),
)

ships = st.builds(Ships, *[st.integers(0, 3)] * 3)

small_battles = st.builds(
    Battle,
    attackers=st.integers(0, 6),
    defenders=st.integers(0, 6),
    attack=pools,
    defence=pools,
    ties=ties,
    stop=st.integers(0, 4),
    reserve=st.integers(0, 4),
    rounds=st.none() | st.integers(0, 6),
    totals=st.sampled_from([False, False, True]),
)

battles = st.one_of(
    small_battles,
    st.builds(
        Battle,
        attackers=st.integers(0, 40),
        defenders=st.integers(0, 40),
        attack_ships=ships,
        defence_ships=ships,
        ties=ties,
        stop=st.integers(0, 20),
        rounds=st.none() | st.integers(0, 40),
    ),
)


def survivors(odds: Odds) -> dict[tuple[int, int], float]:
    rows = zip(odds.attackers_end.tolist(), odds.defenders_end.tolist(), odds.chances.tolist(), strict=True)
    return {(a, d): chance for a, d, chance in rows}
