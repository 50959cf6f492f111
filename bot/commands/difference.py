"""Two plans side by side in words: which is better and by how much, a small table, and what only one of them says."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from bot.commands.outlook import HOLDS, NEITHER, WINS, Figure, Outlook
from bot.editions import names_a_unit
from bot.languages import N_, _, _p, in_percent, joined, number, shortest
from bot.matchup import AnyBattle
from bot.matchup.army_words import WORDS
from bot.narrow import narrow
from bot.wording import CALLED_OFF, HELD, fated, gained
from solver.axis import AxisBattle
from solver.waves import Waves

LEAST, LEAST_GAIN = 0.0005, 0.05
"""Differences below these, of a chance and of what is gained, are not seen in the numbers that people read."""
NAMES = ("A", "B")
SUCCEEDS = {
    "wins": N_("attacker wins"),
    "takes it": N_("attacker takes it"),
    "takes all": N_("attacker takes all"),
    "holds it in the end": N_("attacker holds it"),
    "succeeds": N_("attacker succeeds"),
}
"""What the attacker does in plans that turn out well, by `Outlook.deed`."""
MORE_OFTEN = {
    "wins": N_("{plan} wins more often: {chances}, but {gain}"),
    "takes it": N_("{plan} takes it more often: {chances}, but {gain}"),
    "takes all": N_("{plan} takes all more often: {chances}, but {gain}"),
    "holds it in the end": N_("{plan} holds it in the end more often: {chances}, but {gain}"),
    "succeeds": N_("{plan} succeeds more often: {chances}, but {gain}"),
}


GOOD = {
    "wins": N_("to win"),
    "takes it": N_("to take it"),
    "takes all": N_("to take all"),
    "holds it in the end": N_("to hold it in the end"),
    "succeeds": N_("to succeed"),
}


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
        return _("A and B are the same plan: {odds}", odds=_both(plans))
    if _unplanned(plans):
        return _("I can't tell which is better: {plans}", plans=_not_planned(plans))
    if not way and not money:
        return _no_difference(plans, chance)
    name, better = _best(plans, way or money)
    if not way:
        assert gain is not None, "money decides only where it is counted"
        told = {"plan": name, "gain": _gained(better, gain, money)}
        return joined("{plan} {gain}, {chance}", **told, chance=_as_likely(plans, chance))
    head = _instead(better, _best(plans, -way)[1], chance)
    if money == -way:
        assert gain is not None, "money decides only where it is counted"
        return _(MORE_OFTEN[_deed(plans)], plan=name, chances=head, gain=_gained(better, gain, way))
    if gain and money:
        also = _gained(better, gain, way)
        return _("{plan} is better for the attacker: {chances}, and {gain}", plan=name, chances=head, gain=also)
    return _("{plan} is better for the attacker: {chances}", plan=name, chances=head)


def headlines(plans: tuple[Outlook, Outlook]) -> list[str]:
    """Say the same in a few words for the picture, and in still fewer."""
    if _unplanned(plans) and plans[0].line != plans[1].line:
        return [_not_planned(plans)]
    chance, gain = chance_step(plans), gain_step(plans)
    way, money = chance.way, gain.way if gain else 0
    if not way:
        if gain and money:
            name, better = _best(plans, money)
            return [_("{plan} is better: {gain}", plan=name, gain=_much(better, gain, money))]
        return [
            _("Too close to tell") if chance.unsure else _("Hardly any difference") if chance.by else _("No difference")
        ]
    name, better = _best(plans, way)
    points = {"plan": name, "points": _points(chance.by * way), "to_win": _(GOOD[_deed(plans)])}
    short = _("{plan}: {points} points {to_win}", **points)
    if not gain or not money:
        return [short]
    more = _much(better, gain, way)
    if money == -way:
        return [_("{plan}: {points} points {to_win}, but {gain}", **points, gain=more), short]
    return [_("{plan}: {points} points {to_win}, {gain}", **points, gain=more), short]


def others(plan: Outlook) -> str:
    """Return the short name of the ends that neither side wins."""
    ends = [fate for fate in plan.fates if _(fate.name) != _(plan.held)]
    if plan.chances[NEITHER] <= 0 or len(ends) != 1:
        return _("neither")
    name = _(ends[0].name)
    return _p("short", "attack called off") if name == _(CALLED_OFF) else name


def told_plans(battles: tuple[AnyBattle, ...], plans: tuple[Outlook, Outlook]) -> tuple[str, str]:
    """Who meets whom in each plan, and where that is alike, the words that only one of them has."""
    if plans[0].told != plans[1].told:
        return plans[0].told, plans[1].told
    words = [_options(plan.line, isinstance(of, AxisBattle | Waves)) for plan, of in zip(plans, battles, strict=True)]
    own = [
        [word for word in mine if word not in others] for mine, others in ((words[0], words[1]), (words[1], words[0]))
    ]
    first, second = (f"`{' '.join(only)}`" if only else "" for only in own)
    told = _("{battle} with {options}", battle=plans[0].told, options=first) if first else plans[0].told
    if second:
        return told, _("the same with {options}", options=second)
    return told, _("the same without") if first else _("the same")


def rows(plans: tuple[Outlook, Outlook]) -> tuple[str, ...]:
    """The table: a row for every number that a plan has, and by how much it differs in the second."""
    wins = [plan.chances[WINS] for plan in plans]
    cells: list[list[str]] = [["", *NAMES, ""]]
    cells.append([succeeds(plans), *(plan.numbers[WINS] for plan in plans), _points(wins[1] - wins[0])])
    for name, pair in _pairs([plan.fates for plan in plans]):
        before, after = (fate.amount if fate else 0.0 for fate in pair)
        cells.append([_(name), *(fate.told if fate else "–" for fate in pair), _points(after - before)])
    for name, pair in _pairs([plan.figures for plan in plans]):
        first, second = pair
        strange = first and second and first.money and not counted_alike(plans)
        step = gained(second.amount - first.amount) if first and second and not strange else ""
        counted = [_("counted in"), *(plan.measure for plan in plans), ""]
        if strange and counted not in cells:
            cells.append(counted)
        cells.append([_(name), *(figure.told if figure else "–" for figure in pair), step])
    return narrow(cells, "<>>>")


def _pairs(figures: Sequence[tuple[Figure, ...]]) -> list[tuple[str, tuple[Figure | None, Figure | None]]]:
    """The figures of both plans by their names, None where a plan has none of it."""
    first, second = ({figure.name: figure for figure in of} for of in figures)
    return [(name, (first.get(name), second.get(name))) for name in dict.fromkeys([*first, *second])]


def certainty(plans: tuple[Outlook, Outlook]) -> str:
    """How sure the numbers of both are."""
    first, second = (plan.certainty for plan in plans)
    return first if first == second else joined("A {first}, B {second}", first=first, second=second)


def alternative(plans: tuple[Outlook, Outlook]) -> str:
    """The picture in a few sentences, for those who cannot see it."""
    told = [f"{name}: {', '.join(_ends(plan))}." for name, plan in zip(NAMES, plans, strict=True)]
    if counted_alike(plans):
        armies = plans[0].measure == "armies"
        left = _("Bars show how many are left of each side, A above B.")
        told.append(left if armies else _("Bars show the TUV swing, A above B."))
    return f"{verdict(plans)}. {' '.join(told)}"


def _ends(plan: Outlook) -> list[str]:
    """List the ends of a plan with their chances, as the table has them."""
    ends = [fated(_(SUCCEEDS[plan.deed]), plan.numbers[WINS])]
    if plan.chances[HOLDS] > 0 or not plan.fates:
        ends.append(fated(_(plan.held), plan.numbers[HOLDS]))
    return ends + [fated(_(fate.name), fate.told) for fate in plan.fates if _(fate.name) != _(plan.held)]


def succeeds(plans: tuple[Outlook, Outlook]) -> str:
    """What happens in the plans that turn out well: "attacker takes it"."""
    return _(SUCCEEDS[_deed(plans)])


def held(plans: tuple[Outlook, Outlook]) -> str:
    """What happens in those that do not: "defender holds"."""
    return _(plans[0].held if plans[0].held == plans[1].held else HELD)


# Parts of sentences -------------------------------------------------------------------------------------


def _deed(plans: tuple[Outlook, Outlook]) -> str:
    return plans[0].deed if plans[0].deed == plans[1].deed else "succeeds"


def _unplanned(plans: tuple[Outlook, Outlook]) -> list[str]:
    """The plans that were too large to be worked out with their rules."""
    return [name for name, plan in zip(NAMES, plans, strict=True) if plan.unplanned]


def _not_planned(plans: tuple[Outlook, Outlook]) -> str:
    """Say so: "B is too large to plan"."""
    unplanned = _unplanned(plans)
    if len(unplanned) == 2:
        return _("A and B are too large to plan")
    return _("{plan} is too large to plan", plan=unplanned[0])


def _best(plans: tuple[Outlook, Outlook], way: int) -> tuple[str, Outlook]:
    return (NAMES[1], plans[1]) if way > 0 else (NAMES[0], plans[0])


def _both(plans: tuple[Outlook, Outlook]) -> str:
    """The attacker's chance in both plans, which is nearly the same: "attacker wins 78.6%"."""
    first, second = (plan.numbers[WINS] for plan in plans)
    chances = first if first == second else _("{first} or {second}", first=first, second=second)
    return joined("{attacker} {chances}", attacker=succeeds(plans), chances=chances)


def _no_difference(plans: tuple[Outlook, Outlook], chance: Step) -> str:
    if chance.unsure:
        return _("Too close to tell: {odds}, ± {error} points", odds=_both(plans), error=_error(chance))
    if abs(chance.by) < 1e-9:
        return _("Both plans come to the same: {odds}", odds=_both(plans))
    return _("Hardly any difference: {odds}", odds=_both(plans))


def _as_likely(plans: tuple[Outlook, Outlook], chance: Step) -> str:
    """What is said of chances that are as good as the same."""
    if chance.unsure:
        told = {"odds": _both(plans), "error": _error(chance)}
        return _("and the chance is too close to tell: {odds}, ± {error} points", **told)
    if abs(chance.by) < 1e-9:
        return _("at the same chance: {odds}", odds=_both(plans))
    return _("at nearly the same chance: {odds}", odds=_both(plans))


def _instead(better: Outlook, worse: Outlook, chance: Step) -> str:
    """Both chances and how far they are apart: "81.6% instead of 79.0% (+2.6 points)"."""
    ours, theirs = _two_numbers(better, worse)
    told = {"better": ours, "worse": theirs, "points": _points(abs(chance.by))}
    if chance.error <= LEAST:
        return _("{better} instead of {worse} ({points} points)", **told)
    return _("{better} instead of {worse} ({points} points, ± {error})", **told, error=_error(chance))


def _error(chance: Step) -> str:
    """How far a step may be off, in points."""
    return shortest(100 * chance.error, 1)


def _two_numbers(better: Outlook, worse: Outlook) -> tuple[str, str]:
    """Both chances in words that differ."""
    if better.numbers[WINS] != worse.numbers[WINS]:
        return better.numbers[WINS], worse.numbers[WINS]
    return in_percent(f"{number(100 * better.chances[WINS], 2)}"), in_percent(f"{number(100 * worse.chances[WINS], 2)}")


def _gained(plan: Outlook, gain: Step, way: int) -> str:
    """What a plan gains beside the other: "loses 1.3 fewer armies on average"; it is the better one that way round."""
    more, amount = gain.by * way > 0, number(abs(gain.by))
    if plan.measure == "armies":
        if more:
            return _("loses {armies} fewer armies on average", armies=amount)
        return _("loses {armies} more armies on average", armies=amount)
    if more:
        return _("brings {amount} {money} more on average", amount=amount, money=plan.measure)
    return _("brings {amount} {money} less on average", amount=amount, money=plan.measure)


def _much(plan: Outlook, gain: Step, way: int) -> str:
    """The same in a few words: "1.3 fewer armies lost"."""
    more, amount = gain.by * way > 0, number(abs(gain.by))
    if plan.measure == "armies":
        if more:
            return _("{armies} fewer armies lost", armies=amount)
        return _("{armies} more armies lost", armies=amount)
    if more:
        return _("{amount} {money} more", amount=amount, money=plan.measure)
    return _("{amount} {money} less", amount=amount, money=plan.measure)


def _points(by: float) -> str:
    """A difference of chances: "+2.6", "−0.07", "0.0"."""
    points = 100 * by
    return gained(points) if abs(points) >= 0.095 or abs(by) < LEAST else number(points, 2, "+")


def _options(line: str, armies: bool) -> list[str]:
    """The words of a canonical line that are neither numbers nor units; the defender's with a d in front."""
    words, theirs = [], False
    for word in line.split():
        theirs = theirs or word == "vs"
        if not word.isdigit() and word not in ("vs", ">") and not (armies and names_a_unit(word)):
            name = word.partition(":")[0]
            words.append(f"d{word}" if armies and theirs and name in WORDS and WORDS[name].sided else word)
    return words
