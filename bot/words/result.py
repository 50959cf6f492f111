"""A battle that somebody tells the end of: where it stands among all its ends, in words and in numbers."""

from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.languages import N_, _, whole_number
from bot.words.luck import luck_sentence, points
from bot.words.numbers import percent, unsure_number
from solver.documents import clamp_chance
from solver.game import GameOdds
from solver.luck import LuckStanding, stand_among

if TYPE_CHECKING:  # games name results, and most commands have none
    from solver.chain import Chances, Counts, Mask

LEAST_BATTLES, MOST_BATTLES = 1_000, 1_000_000
"""So many battles are compared: the fewest of them that show how rare an end is."""
NEARLY_SURE = 0.95
"""An end with this chance is none to compare with others: nearly all battles end so."""
WORSE, ALIKE, BETTER = "worse", "alike", "better"
VERDICTS = {
    (WORSE, False): N_("Worse than in {n} of {of} such battles"),
    (WORSE, True): N_("Worse than in {n} of {of} such evenings"),
    (ALIKE, False): N_("Nothing unusual: {n} of {of} such battles end like that"),
    (ALIKE, True): N_("Nothing unusual: {n} of {of} such evenings end like that"),
    (BETTER, False): N_("Better than in {n} of {of} such battles"),
    (BETTER, True): N_("Better than in {n} of {of} such evenings"),
}
"""The verdicts, by how it ends beside others and whether several battles are meant."""


class Result(NamedTuple):
    """The end of a battle, or several of which only the winner is known, among all its ends.

    Attributes:
        text: The words for it.
        won: Whether the attacker has won.
        matches: Whether each end is one of these: [end].
        worth: The worth of each end to the attacker, as live battles rank it: [end].
        winners: The winner: 0 for the attacker, 1 for the defender, 2 for neither: [end].
        chances: The chance of each end.
        sureness: How sure the chances are, in words.
        amounts: The place of each end along the axis of a picture: [end]; None if there is none.
        names: The names of both ends of the axis, left and right; for money a single one.
        by_money: Whether the amounts are the attacker's TUV swing.
    """

    text: str
    won: bool
    matches: "Mask"
    worth: "Chances | Counts"
    winners: "Counts"
    chances: "Chances"
    sureness: str
    amounts: "Chances | Counts | None" = None
    names: tuple[str, ...] = ()
    by_money: bool = False

    @property
    def standing(self) -> LuckStanding:
        """Where it stands among all ends."""
        return stand_among(self.worth, self.chances, self.matches & (self.chances > 0))

    @property
    def standing_by_money(self) -> LuckStanding | None:
        """Where it stands among all ends by money; None in games without."""
        if not self.by_money or self.amounts is None:
            return None
        return stand_among(self.amounts.round(6), self.chances, self.matches & (self.chances > 0))


def verdict(standing: LuckStanding, evening: bool = False) -> str:
    """Say in how many of a thousand battles, or evenings of them, it goes better, worse or alike, whichever is most."""
    if not standing.better and not standing.worse:
        return _("No other end is possible")
    if standing.exactly >= NEARLY_SURE:
        how, share, rest = ALIKE, standing.exactly, 1.0
    elif standing.rank < 0.5:
        how, share, rest = WORSE, standing.better, standing.or_worse
    else:
        how, share, rest = BETTER, standing.worse, standing.or_better
    of = LEAST_BATTLES
    while rest * of < 1 and of < MOST_BATTLES:
        of *= 10
    numbers = {"n": whole_number(min(floor(of * share), of - 1)), "of": whole_number(of)}
    return _(VERDICTS[how, evening], **numbers)


def worse_text(standing: LuckStanding, odds: GameOdds) -> str:
    """Say how likely that or worse is."""
    return percent(standing.or_worse, odds, standing.better + getattr(odds, "never", 0.0))


def tails_text(standing: LuckStanding, odds: GameOdds) -> str:
    """Say how likely that or worse is, and that or better."""
    return _(
        "that or worse {worse} · that or better {better}",
        worse=worse_text(standing, odds),
        better=percent(standing.or_better, odds, standing.worse + getattr(odds, "never", 0.0)),
    )


def chance_text(standing: LuckStanding, odds: GameOdds) -> str:
    """Write how likely exactly that is."""
    return percent(standing.exactly, odds, standing.otherwise + getattr(odds, "never", 0.0))


def chances_text(standing: LuckStanding, odds: GameOdds) -> str:
    """Say how likely exactly that is, that or worse, and that or better."""
    return f"{_('Exactly that {chance}', chance=chance_text(standing, odds))} · {tails_text(standing, odds)}"


def luck_text(standing: LuckStanding) -> str:
    """Write the luck of both sides from 0 to 100."""
    ours, theirs = unsure_number(standing.rank), unsure_number(1 - standing.rank)
    return _("Luck from 0 to 100: attacker {ours}, defender {theirs}", ours=ours, theirs=theirs)


def facts(result: Result, odds: GameOdds) -> tuple[str, ...]:
    """Say how likely the result is, how lucky that was, and how much the dice have changed the chance to win."""
    standing, money, luck = result.standing, result.standing_by_money, result.won - (odds.success or 0.0)
    helped = [] if points(luck) == points(0) else [luck_sentence(luck)]
    said = [chances_text(standing, odds), " · ".join([luck_text(standing), *helped])]
    if money:
        texts = [verdict(money), chances_text(money, odds), luck_text(money)]
        same = texts == [verdict(standing), chances_text(standing, odds), luck_text(standing)]
        said.append(_("By money the same") if same else _("By money: {told}", told=" · ".join(texts)))
    return tuple(said)


def to_dict(standing: LuckStanding) -> dict[str, Any]:
    """Return where something stands as part of a JSON document."""
    chances = {"exactly": standing.exactly, "or_worse": standing.or_worse, "or_better": standing.or_better}
    luck = {"attacker": 100 * standing.rank, "defender": 100 * (1 - standing.rank)}
    return {**{name: clamp_chance(chance) for name, chance in chances.items()}, "luck": luck}
