"""Two plans side by side in words: which is better and by how much, a small table, and what only one of them says."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from bot.commands.outlook import HELD, HOLDS, WINS, Figure, Outlook
from bot.editions import names_a_unit
from bot.matchup import AnyBattle
from bot.matchup.army_words import WORDS
from bot.replies import aligned
from bot.wording import gained
from solver.axis import AxisBattle
from solver.waves import Waves

LEAST, LEAST_GAIN = 0.0005, 0.05
"""Differences below these, of a chance and of what is gained, are not seen in the numbers that people read."""
NAMES = ("A", "B")


class Step(NamedTuple):
    """How far the second plan is above the first, how far that may be off, and from where on it is worth telling."""

    by: float
    error: float
    least: float

    @property
    def way(self) -> int:
        """1 where the second is better, -1 where the first is, 0 where it makes no difference or nobody can say."""
        return 0 if abs(self.by) <= max(self.error, self.least) else 1 if self.by > 0 else -1

    @property
    def unsure(self) -> bool:
        """Whether there may be a difference, but not one that can be told."""
        return self.way == 0 and self.error > self.least


def chance_step(plans: tuple[Outlook, Outlook]) -> Step:
    """The step of the attacker's chance from the first plan to the second."""
    first, second = plans
    return Step(second.chances[WINS] - first.chances[WINS], hypot(first.error, second.error), LEAST)


def gain_step(plans: tuple[Outlook, Outlook]) -> Step | None:
    """The step of what the attacker gains on average; None where that is not counted alike."""
    first, second = plans
    if not counted_alike(plans) or first.gain is None or second.gain is None:
        return None
    return Step(second.gain - first.gain, hypot(first.gain_error, second.gain_error), LEAST_GAIN)


def counted_alike(plans: tuple[Outlook, Outlook]) -> bool:
    """Whether what both gain can be compared: armies with armies, money with money at the same prices."""
    return (plans[0].measure, plans[0].worth) == (plans[1].measure, plans[1].worth)


def verdict(plans: tuple[Outlook, Outlook]) -> str:
    """The difference in one sentence."""
    chance, gain = chance_step(plans), gain_step(plans)
    way, money = chance.way, gain.way if gain else 0
    if plans[0].line == plans[1].line:
        return f"A and B are the same plan: {_both(plans)}"
    if unplanned := _unplanned(plans):
        return f"{unplanned} could not be planned, so which is better cannot be told"
    if not way and not money:
        return _no_difference(plans, chance)
    name, better = _best(plans, way or money)
    if not way:
        assert gain is not None, "money decides only where it is counted"
        return f"{name} {_gained(better, gain, money)}, {_as_likely(plans, chance)}"
    _, worse = _best(plans, -way)
    ours, theirs = _two_numbers(better, worse)
    sure = f", ± {100 * chance.error:.1g}" if chance.error > LEAST else ""
    head = f"{ours} instead of {theirs} ({_points(chance.by * way)} points{sure})"
    if money == -way:
        assert gain is not None, "money decides only where it is counted"
        return f"{name} {deed(plans)} more often: {head}, but {_gained(better, gain, way)}"
    also = f", and {_gained(better, gain, way)}" if gain and money else ""
    return f"{name} is better for the attacker: {head}{also}"


def headline(plans: tuple[Outlook, Outlook]) -> str:
    """The same in a few words, for the picture."""
    if (unplanned := _unplanned(plans)) and plans[0].line != plans[1].line:
        return f"{unplanned} could not be planned"
    chance, gain = chance_step(plans), gain_step(plans)
    way, money = chance.way, gain.way if gain else 0
    if way:
        name, better = _best(plans, way)
        points = _points(chance.by * way)
        if gain and money == -way:
            return f"{name}: {points} points, but {_much(better, gain, way)}"
        return f"{name} is better by {points.removeprefix('+')} points"
    if gain and money:
        name, better = _best(plans, money)
        return f"{name} is better: {_much(better, gain, money)}"
    return "Too close to tell" if chance.unsure else "No difference" if not chance.by else "Hardly any difference"


def told_plans(battles: tuple[AnyBattle, ...], plans: tuple[Outlook, Outlook]) -> tuple[str, str]:
    """Who meets whom in each plan, and where that is alike, the words that only one of them has."""
    if plans[0].told != plans[1].told:
        return plans[0].told, plans[1].told
    words = [_options(plan.line, isinstance(of, AxisBattle | Waves)) for plan, of in zip(plans, battles, strict=True)]
    own = [
        [word for word in mine if word not in others] for mine, others in ((words[0], words[1]), (words[1], words[0]))
    ]
    first, second = (f" with `{' '.join(only)}`" if only else "" for only in own)
    return f"{plans[0].told}{first}", f"the same{second or ' without' * bool(first)}"


def rows(plans: tuple[Outlook, Outlook]) -> tuple[str, ...]:
    """The table: a row for every number that a plan has, and by how much it differs in the second,"""
    wins = [plan.chances[WINS] for plan in plans]
    cells = [["", *NAMES, ""]]
    cells.append([f"attacker {deed(plans)}", *(plan.numbers[WINS] for plan in plans), _points(wins[1] - wins[0])])
    for name, pair in _pairs([plan.fates for plan in plans]):
        before, after = (fate.amount if fate else 0.0 for fate in pair)
        cells.append([name, *(fate.told if fate else "–" for fate in pair), _points(after - before)])
    for name, pair in _pairs([plan.figures for plan in plans]):
        first, second = pair
        strange = first and second and first.money and not counted_alike(plans)
        step = gained(second.amount - first.amount) if first and second and not strange else ""
        name += f" ({' | '.join(plan.measure for plan in plans)})" if strange else ""
        cells.append([name, *(figure.told if figure else "–" for figure in pair), step])
    wide = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return aligned([[row[0], *(cell.rjust(wide[at]) for at, cell in enumerate(row[1:], start=1))] for row in cells])


def _pairs(figures: Sequence[tuple[Figure, ...]]) -> list[tuple[str, tuple[Figure | None, Figure | None]]]:
    """The figures of both plans by their names, None where a plan has none of it."""
    first, second = ({figure.name: figure for figure in of} for of in figures)
    return [(name, (first.get(name), second.get(name))) for name in dict.fromkeys([*first, *second])]


def certainty(plans: tuple[Outlook, Outlook]) -> str:
    """How sure the numbers of both are."""
    first, second = (plan.certainty for plan in plans)
    return first if first == second else f"A {first}, B {second}"


def alternative(plans: tuple[Outlook, Outlook]) -> str:
    """The picture in a few sentences, for those who cannot see it."""
    told = " ".join(
        f"{name}: attacker {plan.deed} {plan.numbers[WINS]}, {plan.held} {plan.numbers[HOLDS]}."
        for name, plan in zip(NAMES, plans, strict=True)
    )
    counted = {"armies": "how many are left of each side"}.get(plans[0].measure, "the profit of the attack")
    bars = f" Bars show {counted}, A above B." if counted_alike(plans) else ""
    return f"{verdict(plans)}. {told}{bars}"


def deed(plans: tuple[Outlook, Outlook]) -> str:
    """What the attacker does in the plans that turn out well: "takes it"."""
    return plans[0].deed if plans[0].deed == plans[1].deed else "succeeds"


def held(plans: tuple[Outlook, Outlook]) -> str:
    """What happens in those that do not: "defender holds"."""
    return plans[0].held if plans[0].held == plans[1].held else HELD


# Parts of sentences -------------------------------------------------------------------------------------


def _unplanned(plans: tuple[Outlook, Outlook]) -> str:
    """The plans that were too large to be worked out with their rules: "B"."""
    return " and ".join(name for name, plan in zip(NAMES, plans, strict=True) if plan.unplanned)


def _best(plans: tuple[Outlook, Outlook], way: int) -> tuple[str, Outlook]:
    return (NAMES[1], plans[1]) if way > 0 else (NAMES[0], plans[0])


def _both(plans: tuple[Outlook, Outlook]) -> str:
    """The attacker's chance in both plans, which is nearly the same: "attacker wins 78.6 %"."""
    told = dict.fromkeys(plan.numbers[WINS] for plan in plans)
    return f"attacker {deed(plans)} {' or '.join(told)}"


def _no_difference(plans: tuple[Outlook, Outlook], chance: Step) -> str:
    if chance.unsure:
        return f"Too close to tell: {_both(plans)}, ± {100 * chance.error:.1g} points"
    if abs(chance.by) < 1e-9:
        return f"Both plans come to the same: {_both(plans)}"
    return f"Hardly any difference: {_both(plans)}"


def _as_likely(plans: tuple[Outlook, Outlook], chance: Step) -> str:
    """What is said of chances that are as good as the same."""
    if chance.unsure:
        return f"and the chance is too close to tell: {_both(plans)}, ± {100 * chance.error:.1g} points"
    nearly = "" if abs(chance.by) < 1e-9 else "nearly "
    return f"at {nearly}the same chance: {_both(plans)}"


def _two_numbers(better: Outlook, worse: Outlook) -> tuple[str, str]:
    """Both chances in words that differ."""
    if better.numbers[WINS] != worse.numbers[WINS]:
        return better.numbers[WINS], worse.numbers[WINS]
    return f"{100 * better.chances[WINS]:.2f} %", f"{100 * worse.chances[WINS]:.2f} %"


def _gained(plan: Outlook, gain: Step, way: int) -> str:
    """What a plan gains beside the other: "costs 1.3 less on average"; it is the better one that way round."""
    return f"{'costs' if plan.measure == 'armies' else 'brings'} {_amount(plan, gain, way)} on average"


def _much(plan: Outlook, gain: Step, way: int) -> str:
    return f"{_amount(plan, gain, way)}{' lost' * (plan.measure == 'armies')}"


def _amount(plan: Outlook, gain: Step, way: int) -> str:
    more = gain.by * way > 0
    unit = "" if plan.measure == "armies" else f" {plan.measure}"
    return f"{abs(gain.by):.1f}{unit} {'more' if more != (plan.measure == 'armies') else 'less'}"


def _points(by: float) -> str:
    """A difference of chances: "+2.6", "−0.07", "0.0"."""
    points = 100 * by
    return gained(points) if abs(points) >= 0.095 or abs(by) < LEAST else f"{points:+.2f}".replace("-", "−")


def _options(line: str, armies: bool) -> list[str]:
    """The words of a canonical line that are neither numbers nor units; the defender's with a d in front."""
    words, theirs = [], False
    for word in line.split():
        theirs = theirs or word == "vs"
        if not word.isdigit() and word not in ("vs", ">") and not (armies and names_a_unit(word)):
            name = word.partition(":")[0]
            words.append(f"d{word}" if armies and theirs and name in WORDS and WORDS[name].sided else word)
    return words
