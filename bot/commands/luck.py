"""/luck and /history faces: how lucky a player, a pair or all attackers were, and how evenly dice fell here."""

from bot.charts import FACES, LUCK
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, in_percent, number, speaking
from bot.names import safe_name
from bot.replies import Picture, Reply, without_marks
from bot.request import Request, Services
from bot.store.records import LuckRecord
from bot.words.luck import UNUSUAL, points, rarity
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, unsure_percent
from solver.luck import LEAST_BATTLES, BattleLuck, TotalLuck, evenness_p_value, total_luck

LEAST_A_FACE = 5
"""Each face must be expected at least so often before the answer says how even the dice are."""
ROLES = {"attacker": N_("attacker"), "defender": N_("defender")}
SHOWN = 10
"""The most battles in the table."""


async def luck(request: Request, services: Services) -> Reply:
    """Say how lucky a person, a pair or all attackers were in all battles that are stored here."""
    options = request.options
    everybody = options.get("everybody", "")
    if everybody not in ("", "yes", "everybody"):
        raise UserError(_("Type `/luck` for your own luck, or `/luck everybody`. In Discord it has options."))
    user = None if everybody else options.get("player", request.user)
    if everybody and options.get("against"):
        raise UserError(_("`everybody` counts all attackers here, so leave out `against`."))
    if options.get("against") and options["against"] == user:
        raise UserError(_("For `against`, pick someone other than the player."))
    records = await services.store.battles.luck_records(request.place, user, options.get("against"))
    who = _("All attackers") if everybody else safe_name(options.get("player_name", request.user_name))
    if options.get("against"):
        who = _("{player} against {opponent}", player=who, opponent=safe_name(options["against_name"]))
    if not records:
        with speaking(request.reader):
            none = _("**{player}: no battles yet.**", player=who)
            counts = _("Battles rolled with `/roll` count, up to the first dice that someone typed.")
            return Reply(f"{none} {counts}", private=True)
    fortunes = [BattleLuck(record.start, record.chance, record.role == "defender") for record in records]
    whole = total_luck(fortunes)
    png = await services.engine.draw(LUCK, None, who, fortunes)
    summary, explanation = _summary(who, whole), _rarity_text(whole)
    return Reply(
        summary,
        facts=(explanation,),
        table=_table(records, fortunes),
        note=_("Luck = how much the dice changed your win chance; it averages out to 0, whatever you decide"),
        picture=Picture(png, f"luck-{len(records)}.png", without_marks(f"{summary}. {explanation}")),
        private=request.private,
    )


def _summary(who: str, whole: TotalLuck) -> str:
    """Say in one line how lucky somebody was: "root: lucky, 2.5 wins more than expected in 9 battles"."""
    wins = number(abs(whole.luck))
    if wins == number(0):
        return _n(
            "**{player}: as many wins as expected in {n} battle**",
            "**{player}: as many wins as expected in {n} battles**",
            whole.n,
            player=who,
        )
    if whole.luck > 0:
        return _n(
            "**{player}: lucky, {wins} wins more than expected in {n} battle**",
            "**{player}: lucky, {wins} wins more than expected in {n} battles**",
            whole.n,
            player=who,
            wins=wins,
        )
    return _n(
        "**{player}: unlucky, {wins} wins fewer than expected in {n} battle**",
        "**{player}: unlucky, {wins} wins fewer than expected in {n} battles**",
        whole.n,
        player=who,
        wins=wins,
    )


def _rarity_text(whole: TotalLuck) -> str:
    """Say how rare that is, once there are enough battles to tell."""
    if whole.rarity is None or whole.z is None:
        return _("After {battles} battles I can tell how rare that is.", battles=LEAST_BATTLES)
    z = number(whole.z, 1, "+")
    return _("Luck this extreme, good or bad: {rarity} (z {z}).", rarity=rarity(whole.rarity), z=z)


def _table(records: list[LuckRecord], fortunes: list[BattleLuck]) -> tuple[str, ...]:
    """Return the table of the latest battles: the role of the person, the chance at the start, and the luck."""
    cells: list[list[str]] = [[_("battle"), _p("role", "as"), _("chance"), _("luck")]]
    for record, fortune in list(zip(records, fortunes, strict=True))[-SHOWN:]:
        start = 1 - record.start if fortune.defends else record.start
        cells.append([record.id, _(ROLES[record.role]), exact_percent(start), points(fortune.luck)])
    return narrow(cells, "<<>>")


def _unevenness(chance: float) -> str:
    """Say how many fair dice look at least as uneven, and whether that is unusual."""
    if chance < UNUSUAL:
        return _("unusual: only {share} of fair dice look this uneven", share=unsure_percent(chance))
    return _("nothing unusual: {share} of fair dice look at least this uneven", share=unsure_percent(chance))


async def faces(request: Request, services: Services) -> Reply:
    """Count every face of all fair dice that fell here, and say whether they are as even as they should be."""
    counts = await services.store.battles.faces(request.place)
    if not counts:
        with speaking(request.reader):
            return Reply(_("No dice have fallen here yet. `/roll 12 9` rolls some."), private=True)
    common = max(counts, key=lambda sides: sum(counts[sides].values()))
    facts: list[str] = []
    cells: list[list[str]] = [[_("die"), _("face"), _("times"), _("share")]]
    for sides, fell in sorted(counts.items(), key=lambda pair: (pair[0] != common, pair[0])):
        every = [fell.get(face, 0) for face in range(1, sides + 1)]
        total = sum(every)
        evenness: str = _("too few to tell whether they are fair")
        if total >= LEAST_A_FACE * sides:
            evenness = _unevenness(evenness_p_value(every))
        dice = _n("{n} dice of {sides} sides", "{n} dice of {sides} sides", total, sides=sides)
        facts.append(f"{dice}: {evenness}")
        die = _p("short", "d{sides}", sides=sides)
        cells += [
            [die, str(face), str(n), in_percent(number(100 * n / total, 2))] for face, n in enumerate(every, start=1)
        ]
    every = [counts[common].get(face, 0) for face in range(1, common + 1)]
    title = _("Every die of {sides} sides", sides=common)
    png = await services.engine.draw(FACES, ("faces", *every), title, every)
    alternative = _n("How often {n} dice showed each face.", "How often {n} dice showed each face.", sum(every))
    return Reply(
        _("**All fair dice of the battles on this server**"),
        facts=tuple(facts),
        table=narrow(cells, "<>>>"),
        note=_("Dice that people typed are not counted; `/verify` checks a battle die by die"),
        picture=Picture(png, f"faces-{sum(every)}.png", alternative),
        private=request.private,
    )
