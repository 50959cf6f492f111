"""Simulated battles that can also be solved: whether they show the odds, and how often their intervals are right."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import comb, sqrt
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds, RareEnd
from solver.axis.sides import Army, Retreat
from solver.axis.simulation import sample
from solver.axis.simulation.rare import RareName, find_rare_end
from solver.axis.simulation.sample import sample_axis, sample_pair
from solver.axis.solve import solve_axis
from tests.helpers.extent import pick
from tests.helpers.solver.axis_battles import battle, units

ROLLED, PARTS = pick(5_000, 100_000), pick(2, 16)
"""The battles to simulate, and their parts: a part of few battles takes nearly as long as a part of many."""
PLAIN = pick(20_000, 100_000)
"""The number of battles with plain dice that would be no nearer to the odds: even luck is worth many."""

LAND = ("infantry", "artillery", "tank", "fighter", "bomber")
SEA = ("submarine", "destroyer", "cruiser", "carrier", "fighter", "battleship", "transport")


def any_sampled_battle(seed: int) -> AxisBattle:
    """A battle on land or at sea with up to 12 units of a kind."""
    generator = random.Random(seed)
    land = generator.random() < 0.5
    most = 12 if land else 4
    sides = []
    for others in (("amphibious_infantry",), ("aa_gun",)) if land else ((), ()):
        kinds = generator.sample(LAND if land else SEA, k=generator.randint(2, 4))
        if generator.random() < 0.3:
            kinds += others
        counts = {kind: generator.randint(1, 2 if kind == "aa_gun" else most) for kind in kinds}
        generator.shuffle(kinds)
        named = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
        sides.append(units(named, *kinds) if generator.random() < 0.5 else units(named))
    rules: dict[str, Any] = {"dice": generator.choice(("standard", "standard", "low_luck", "biased"))}
    if generator.random() < 0.3:
        rules["round_limit"] = generator.randint(1, 4)
    if generator.random() < 0.3:
        few, raid = Retreat(units_at_most=generator.randint(1, 10)), Retreat(clear_chance_above=0.2)
        rules["retreat"] = raid if land and generator.random() < 0.5 else few
        rules["decline_allowed"] = False
    if not land:
        for name in ("submerge", "keep_last_destroyer"):
            rules[name] = (generator.random() < 0.3, generator.random() < 0.3)
        rules["crash_stranded_fighters"] = generator.random() < 0.3
    return battle("land" if land else "sea", *sides, **rules)


def check_that_shares_are_chances(fought: AxisBattle, seed: int) -> None:
    """Whether everything that simulated battles say is near to the odds."""
    with patch.object(sample, "PARTS", PARTS):
        odds, rolled = solve_axis(fought, 0), sample_axis(fought, ROLLED, seed)
    assert rolled.sampled == rolled.to_dict()["simulated"] == ROLLED
    assert rolled.chances.sum() == pytest.approx(1)
    for field in ("takes", "wins", "attacker_survives", "defender_survives"):
        chance = getattr(odds, field)
        assert close(getattr(rolled, field), chance, sqrt(abs(chance * (1 - chance)))), field
    for field in ("attacker_loss", "defender_loss"):
        loss, amounts = getattr(odds, field), getattr(odds, f"{field}_at")
        assert close(getattr(rolled, field), loss, sqrt(float((amounts - loss) ** 2 @ odds.chances))), field
    # How long battles are varies by less than their mean.
    assert close(rolled.rounds, odds.rounds, odds.rounds)
    for side in ("attackers", "defenders"):
        true, shown = fates(odds, side), fates(rolled, side)
        for fate in true.keys() | shown.keys():
            chance = true.get(fate, 0.0)
            assert close(shown.get(fate, 0.0), chance, sqrt(abs(chance * (1 - chance)))), fate


def fates(odds: AxisOdds, side: str) -> dict[str, float]:
    """The chance of each fate of a side."""
    return {json.dumps(fate, sort_keys=True): chance for *fate, chance in odds.to_dict()["waves"][0][side]}


def close(shown: float, true: float, spread: float) -> bool:
    """Whether a mean over all battles is within 5 standard errors, or 5 battles where it hardly ever varies."""
    return abs(shown - true) <= 5 * spread / sqrt(PLAIN) + 5 / PLAIN


class Interval(NamedTuple):
    """What a simulation says of a number, how far it may be off, and the truth."""

    name: str
    told: float
    error: float
    truth: float

    @property
    def right(self) -> bool:
        """Whether the interval has the truth in it; numbers have rounding errors."""
        return abs(self.told - self.truth) <= self.error + 1e-9


def intervals(seeds: range, battles: int) -> Iterator[Interval]:
    """The results of simulations of random battles, each once, beside the exact numbers."""
    for seed in seeds:
        asked = any_sampled_battle(seed)
        truth, told = solve_axis(asked, 0), sample_axis(asked, battles, seed)
        yield Interval("wins", told.wins, told.wins_error, truth.wins)
        yield Interval("attacker_survives", told.attacker_survives, told.error, truth.attacker_survives)
        yield Interval("defender_survives", told.defender_survives, told.error, truth.defender_survives)
        gains = [odds.defender_loss - odds.attacker_loss for odds in (told, truth)]
        yield Interval("profit", gains[0], told.profit_error, gains[1])


def pair_intervals(seeds: range, battles: int) -> Iterator[Interval]:
    """The same for the differences between a random battle and one with a unit more or with a limit of rounds."""
    for seed in seeds:
        first = any_sampled_battle(seed)
        name, count = first.attacker.units[0]
        more = {**dict(first.attacker.units), name: count + 1}
        second = (
            replace(first, round_limit=3)
            if seed % 2
            else replace(first, attacker=Army.of(more, *first.order_of_loss("attack")))
        )
        pair = sample_pair(first, second, battles, seed)
        if not pair:
            continue
        truths = [solve_axis(plan, 0) for plan in (first, second)]
        yield Interval("wins", pair.second.wins - pair.first.wins, pair.wins_error, truths[1].wins - truths[0].wins)
        gains = [odds.defender_loss - odds.attacker_loss for odds in (*pair[:2], *truths)]
        yield Interval("profit", gains[1] - gains[0], pair.profit_error, gains[3] - gains[2])


def chances_of_so_many_wrong(told: list[Interval], chance: float = 0.05) -> float:
    """The chance of so many wrong intervals or more, if each is wrong in 1 of 20 cases."""
    wrong, of = sum(not interval.right for interval in told), len(told)
    return sum(comb(of, k) * chance**k * (1 - chance) ** (of - k) for k in range(wrong, of + 1))


def rare_ends(seeds: Iterable[int]) -> Iterator[tuple[RareEnd, float]]:
    """The rare ends of random battles that have one, each with its exact chance."""
    for seed in seeds:
        asked = any_sampled_battle(seed)
        truth = solve_axis(asked, 0)
        chances: dict[RareName, float] = {"wins": truth.wins, "holds": truth.end_chances["holds"]}
        for name, chance in chances.items():
            found = find_rare_end(asked, name, seed) if 1e-11 < chance < 1e-3 and not truth.declined else None
            if found:
                yield found, chance
