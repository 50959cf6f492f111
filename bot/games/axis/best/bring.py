"""/need for Axis & Allies: the cheapest part of an army that succeeds, and the one with the best TUV swing.

Battles of one wave and of several have the same answer; `BringTexts` has what differs.
"""

from math import ceil

from bot.charts import NEED, NeedCurve
from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.bombardment import allow, landing_units, limit_text, limited_ships
from bot.games.axis.matchup import count_text, matchup, side_text, titles
from bot.games.axis.money import value_unit
from bot.games.axis.need_lines import write_need
from bot.games.axis.writing import units_text, write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _n, _p, compose, in_percent, short_number
from bot.notation.options import write_number
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, fate_text, signed_tenths
from solver.axis.best.armies import HOPELESS, ROUNDING, ArmyGoal, RankedArmy, Survey
from solver.axis.best.parts import Wanted
from solver.axis.best.wave_parts import with_first_units
from solver.axis.limits import survey_within
from solver.axis.sides import Units
from solver.axis.units import Role
from solver.axis.waves.waves import Waves

TO_SUCCEED = {
    "survive": N_("to survive"),
    "hold": N_("to hold"),
    "take": N_("to take it"),
    "win": N_("to win"),
    "keep": N_("to hold it in the end"),
    "stop": N_("to stop the attacker"),
}
SHORT = {
    "survive": N_("survives"),
    "hold": N_("holds"),
    "take": N_("takes it"),
    "win": N_("wins"),
    "keep": N_("holds it"),
    "stop": N_("stops the attacker"),
}
TITLES = {
    "survive": N_("Survive against {others}"),
    "hold": N_("Hold against {others}"),
    "take": N_("Take it from {others}"),
    "win": N_("Beat {others}"),
}
NOTHING = {
    "survive": N_("**Nothing here can survive against {others}**"),
    "hold": N_("**Nothing here can hold against {others}**"),
    "take": N_("**Nothing here can take it from {others}**"),
    "win": N_("**Nothing here can beat {others}**"),
    "keep": N_("**Nothing here can hold it in the end**"),
    "stop": N_("**Nothing here can stop the attacker**"),
}
"""The texts about armies, by the result that `BringTexts.word` names."""


class BringTexts:
    """The texts about the army to bring to a battle.

    `first` says how money is counted, and `edition` how units are named. `word` is what the army is for: to "survive",
    "hold", "take" or "win", or in several waves to "keep" the field in the end or to "stop" an attacker at sea. `whole`
    names the units to choose from, and `others` those on the other side of the first wave.
    """

    def __init__(self, battle: Waves, goal: ArmyGoal, survey: Survey) -> None:
        self.battle, self.goal, self.survey, self.attacks = battle, goal, survey, goal.role == "attack"
        self.first, *_later = battle.battles
        self.edition = editions()[self.first.rules.key]
        self.opponent = self.first.defender if self.attacks else self.first.attacker
        self.others = side_text(self.opponent, self.edition)
        self.whole = side_text(self.first.army(goal.role), self.edition)
        if goal.any_units:
            self.whole = _("all land and air units")
        if survey.kinds:
            self.whole = _("armies of one or two kinds of land and air units")
        at_sea = self.first.theatre == "sea"
        if not battle.only:
            self.word = "stop" if at_sea and not self.attacks else "keep"
        elif goal.of == "survives":
            self.word = "survive"
        else:
            self.word = ("win" if at_sea else "take") if self.attacks else "hold"

    def success(self, army: str, count: int) -> str:
        """Say what an army of so many units achieves."""
        names = {"army": army, "others": self.others}
        if self.word == "survive":
            return _n("{army} survives against {others}", "{army} survive against {others}", count, **names)
        if self.word == "hold":
            return _n("{army} holds against {others}", "{army} hold against {others}", count, **names)
        if self.word == "take":
            return _n("{army} takes it from {others}", "{army} take it from {others}", count, **names)
        if self.word == "win":
            return _n("{army} beats {others}", "{army} beat {others}", count, **names)
        if self.word == "stop":
            return _n("{army} at the start stops the attacker", "{army} at the start stop the attacker", count, **names)
        return _n("{army} at the start holds it in the end", "{army} at the start hold it in the end", count, **names)

    def hopeless(self) -> str:
        """Say that no army has a chance, and in one wave why."""
        battle, nothing = self.first, _(NOTHING[self.word], others=self.others)
        if not self.battle.only:
            return nothing
        kinds = {battle.rules.table[name].kind for name, _other in battle.attacker.units}
        if self.word != "take" or not kinds or "land" in kinds:
            if self.attacks and battle.retreat:
                return compose("{nothing} {rules}", nothing=nothing, rules=_("with these retreat rules"))
            return compose("{nothing}, {all}", nothing=nothing, all=_("not even all of it together"))
        if len(kinds) > 1:
            why = _("planes and ships alone can't take a territory")
        elif "air" in kinds:
            why = _("planes alone can't take a territory")
        else:
            why = _("ships alone can't take a territory")
        return compose("{nothing}: {why}", nothing=nothing, why=why)

    def titles(self) -> tuple[str, ...]:
        """Return the titles of the picture, the longest first."""
        if not self.battle.only:
            return tuple(title for title in titles(self.battle) if "\n" not in title)
        return tuple(_(TITLES[self.word], others=name) for name in (self.others, count_text(self.opponent.units)))

    def line(self, units: Units | None = None) -> str:
        """Write the battle with some of the units, or with all."""
        return write_armies(with_first_units(self.battle, self.goal.role, units) if units else self.battle)

    def remarks(self) -> list[str]:
        """Explain the answer, and say what else may be asked."""
        anew = self.first.kamikaze and self.attacks
        aims = _("Kamikaze attacks on ships that stay behind are aimed at the others") if anew else ""
        defender = _("Add `side:defender` to ask what the defender needs") if self.attacks else ""
        if not self.battle.only:
            varied = _("Only the defenders of wave 1 vary; every later wave stays as it is")
            if self.attacks:
                varied = _("Only the attackers of wave 1 vary; every later wave stays as it is")
            remarks = [matchup(self.battle), varied, aims, defender]
        else:
            if self.goal.any_units and self.attacks:
                defender = _("`/need 5 inf 3 arm vs` asks what the defender needs")
            survive = _("Add `survive` to ask for survivors instead of a win")
            if self.goal.of == "survives":
                survive = _("Leave out `survive` to ask for a win")
            remarks = [self._bombards(), aims, " · ".join(filter(None, [defender, survive]))]
        return list(filter(None, remarks))

    def _bombards(self) -> str:
        """Explain why ships alone may have the best TUV swing against a territory."""
        best = self.survey.profitable.best[0].units if self.survey.profitable and self.attacks else ()
        table = self.first.rules.table
        alone = self.first.theatre == "land" and all(table[name].kind == "sea" for name, _other in best)
        return _("Ships bombard even if no unit lands, and can't be lost") if best and alone else ""


def headline(texts: BringTexts) -> str:
    """Say which army succeeds: "**10 inf 4 art 1 arm** (52 IPC) take it from 8 inf 1 aa (90.3%, target 90%)"."""
    best = nearest(texts)
    if not best:
        return texts.hopeless()
    army, goal = best[0], in_percent(short_number(100 * texts.goal.target))
    succeeds = texts.success(_army(texts, army), sum(units for _name, units in army.units))
    if texts.survey.cheapest.best:
        return _("{succeeds} ({chance}, target {goal})", succeeds=succeeds, chance=chance_text(texts, army), goal=goal)
    text = N_("**{goal} is out of reach**: even {succeeds} only {chance} of the time")
    return _(text, succeeds=succeeds, chance=chance_text(texts, army), goal=goal)


def nearest(texts: BringTexts) -> tuple[RankedArmy, ...]:
    """Return the armies that reach the target; if none does, those that come closest, if they have a chance at all."""
    cheapest = texts.survey.cheapest
    return cheapest.best or tuple(army for army in cheapest.closest if army.odds[texts.goal.of] >= HOPELESS)


def profit(texts: BringTexts) -> str:
    """Say which army has the best TUV swing, if that is known."""
    if not texts.survey.profitable:
        return ""
    best = texts.survey.profitable.best[0]
    if _is_best_by_both(texts):
        text = N_("Also the best TUV swing: {profit} {money} on average")
        if _swing(best).startswith("−"):
            text = N_("Also the smallest loss: {profit} {money} on average")
        return _(text, profit=_swing(best), money=value_unit(texts.first))
    does = fate_text(_(SHORT[texts.word]), chance_text(texts, best))
    values = {"army": _army(texts, best), "profit": _swing(best), "money": value_unit(texts.first)}
    if _swing(best).startswith("−"):
        return f"{_('Smallest loss: {army}, {profit} {money} on average', **values)} · {does}"
    return f"{_('Best TUV swing: {army}, {profit} {money} on average', **values)} · {does}"


def _is_best_by_both(texts: BringTexts) -> bool:
    """Tell whether the first army by price, or by chance, is also the one with the best TUV swing."""
    first, profitable = nearest(texts), texts.survey.profitable
    return bool(first and profitable and first[0].units == profitable.best[0].units)


def _army(texts: BringTexts, army: RankedArmy) -> str:
    units = units_text(dict(army.units), texts.edition) or _("nothing")
    return f"**{units}** ({write_number(army.cost)} {value_unit(texts.first)})"


def chance_text(texts: BringTexts, army: RankedArmy) -> str:
    """Write the chance of an army to reach what is asked for."""
    return exact_percent(max(0.0, army.odds[texts.goal.of]))  # There is a −0.0, which would be shown.


def _swing(army: RankedArmy) -> str:
    return signed_tenths(army.odds["profit"])


def _ranking(texts: BringTexts) -> str:
    """Say by what the armies are ranked that have the chance asked for, or come closest to it."""
    if texts.goal.money is not None:
        return _("best chance")
    return _("cheapest") if texts.survey.cheapest.best else _("closest")


def rows(texts: BringTexts) -> tuple[str, ...]:
    """Return rows with the cheapest armies and those with the best TUV swing, once if one army is both."""
    profitable = None if _is_best_by_both(texts) else texts.survey.profitable
    kinds: dict[str, tuple[RankedArmy, ...]] = {
        _ranking(texts): nearest(texts),
        _("best TUV"): profitable.best if profitable else (),
    }
    cells: list[list[str]] = []
    for name, armies in kinds.items():
        if armies:
            heads = [value_unit(texts.first), _(SHORT[texts.word]), _p("column", "TUV")]
            cells.append([name, *(["", "", ""] if cells else heads)])
        for army in armies:
            units = units_text(dict(army.units), texts.edition) or _("nothing")
            cells.append([units, write_number(army.cost), chance_text(texts, army), _swing(army)])
    return narrow(cells, "<>>>") if cells else ()


GOAL = 0.8
SHOWN = 3
LONGEST_TITLE = 52
LEAST_SHOWN, ALL_BUT = 0.002, 0.999
"""The curve is drawn from the first of these chances to the second."""


async def answer_need(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's army that succeeds with a chance, and the part with the best TUV swing.

    In several waves that is the army of the first, which is to hold the field in the end.
    """
    survive = reading.asked.get("survive")
    if survive and not battle.only:
        raise UserError(_("With several waves I look for the army that holds it in the end. Leave out `survive`."))
    reading, goal = read_goal(reading, request, "survives" if survive else "wins")
    survey = await services.engine.compute_within(survey_within, reading.battle, goal)
    texts = BringTexts(reading.battle, goal, survey)
    best, swing = nearest(texts), profit(texts)
    facts, why = (swing,) if swing else (), ""
    if not swing and not texts.goal.any_units:
        why = _("I can't work out the best TUV swing: this army has too many parts to try them all")
    hopeless = texts.goal.any_units and not best  # There is no battle to ask about.
    return Reply(
        headline(texts),
        facts=facts,
        remarks=tuple(filter(None, [why, *reading.remarks, *texts.remarks()])),
        table=rows(texts),
        note=" · ".join([_("out of {units}, exact", units=texts.whole), _(texts.edition.name)]),
        line=write_need(reading) if hopeless else texts.line(best[0].units if best else None),
        picture=await draw(texts, facts, services),
        buttons=() if hopeless else (Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")),
        private=request.private,
    )


def read_goal(reading: Reading, request: Request, of: Wanted) -> tuple[Reading, ArmyGoal]:
    """Return the reading with a battle that the rulebook allows, and the goal that it asks for.

    Of attackers every part is allowed or not by itself; those who attack the asking side are whole.
    """
    role: Role = reading.asked.get("side") or "attack"
    reading = allow(reading, parts=role == "attack") if request.is_new else reading
    first, *_later = reading.battle.battles
    ships = limited_ships(first) if role == "attack" else ()
    minimum = dict(reading.asked.get("least") or ())
    if ships:
        if sum(minimum.get(name, 0) for name in ships) > landing_units(first):
            raise UserError(limit_text(first))
        reading = reading._replace(of_words=(*reading.of_words, limit_text(first)))
    chance = GOAL if reading.chance is None else reading.chance
    money = reading.asked.get("money")
    any_units = money is None and not first.army(role).units
    goal = ArmyGoal(role, of, chance, SHOWN, tuple(minimum.items()), ships, any_units, money)
    return reading, goal


async def draw(texts: BringTexts, beside: tuple[str, ...], services: Services) -> Picture | None:
    """Return the curve of the best chance for each price."""
    goal, frontier, best = texts.goal, texts.survey.frontier, texts.survey.cheapest.best
    low, high = min(LEAST_SHOWN, goal.target), max(ALL_BUT, goal.target) - ROUNDING
    last = next((place for place, (_cost, chance) in enumerate(frontier) if chance >= high), len(frontier))
    points = [point for point in frontier[: last + 1] if point[1] >= low - ROUNDING]
    if not points:
        return None
    # Prices may be fractions; what so much money buys is the most that any army has that costs no more.
    costs, chances = zip(*{ceil(cost): chance for cost, chance in points}.items(), strict=True)
    answer, line, names = ceil(best[0].cost) if best else None, texts.line(), texts.titles()
    curve = NeedCurve(
        next((title for title in names if len(title) <= LONGEST_TITLE), names[-1]),
        "attackers" if texts.attacks else "defenders",
        *(costs, chances, goal.target, answer, answer),
        money=value_unit(texts.first),
        succeeds=_("best chance {to_succeed}", to_succeed=_(TO_SUCCEED[texts.word])),
    )
    png = await services.engine.draw(NEED, (line, goal), curve)
    minimum = units_text(dict(goal.minimum), texts.edition)
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {minimum} {line}"
    head = without_marks(headline(texts))
    alternative = _("{answer}. The curve shows the best chance for each price.", answer=head)
    return Picture(png, picture_name(asked), alternative, beside, table=False)
