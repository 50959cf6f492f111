"""/luck: what the dice did for a player, a pair, or everybody here; and the audit of all faces that fell here."""

from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, in_percent, number, speaking
from bot.luck_wording import UNUSUAL, one_in, points
from bot.names import safe_name
from bot.narrow import narrow
from bot.replies import Picture, Reply
from bot.store.battles import Fortune as Told
from bot.wording import uncertain
from solver.luck import LEAST_BATTLES, Fortune, Session, session, uneven

LEAST_A_FACE = 5
"""How often each face must be expected before it can be said how even they are."""
ROLES = {"attacker": N_("attacker"), "defender": N_("defender")}
SHOWN = 10
"""The battles of a session that are told one by one."""


async def luck(request: Request, services: Services) -> Reply:
    """The luck of a person, of a pair or of all attackers, over all battles that are kept here."""
    options = request.options
    everybody = options.get("everybody", "")
    if everybody not in ("", "yes", "everybody"):
        raise UserError(_("Type `/luck` for your own luck, or `/luck everybody`. In Discord it has options."))
    user = None if everybody else options.get("player", request.user)
    if everybody and options.get("against"):
        raise UserError(_("`everybody` counts all attackers here, so leave out `against`."))
    if options.get("against") and options["against"] == user:
        raise UserError(_("For `against`, pick someone other than the player."))
    told = await services.store.battles.fortunes(request.place, user, options.get("against"))
    who = _("All attackers") if everybody else safe_name(options.get("player_name", request.user_name))
    if options.get("against"):
        who = _("{player} against {opponent}", player=who, opponent=safe_name(options["against_name"]))
    if not told:
        with speaking(request.reader):
            none = _("**{player}: no battles yet.**", player=who)
            counts = _("Battles rolled with `/roll` count, up to the first dice that someone typed.")
            return Reply(f"{none} {counts}", private=True)
    fortunes = [Fortune(one.start, one.chance, one.role == "defender") for one in told]
    whole = session(fortunes)
    png = await services.engine.drawn((who, *fortunes), "draw_luck", who, fortunes)
    return Reply(
        f"{_verdict(who, whole)}\n{_explained(whole)}",
        table=_table(told, fortunes),
        note=_("Luck = how much the dice changed your win chance; it averages out to 0, whatever you decide"),
        picture=Picture(png, f"luck-{len(told)}.png", f"{_verdict(who, whole)}. {_explained(whole)}".replace("*", "")),
        private=request.private,
    )


def _verdict(who: str, whole: Session) -> str:
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


def _explained(whole: Session) -> str:
    """Say how rare that is, once there are enough battles to tell."""
    if whole.rare is None or whole.z is None:
        return _("After {battles} battles I can tell how rare that is.", battles=LEAST_BATTLES)
    z = number(whole.z, 1, "+")
    return _("Luck this extreme, good or bad: {rarity} (z {z}).", rarity=one_in(whole.rare), z=z)


def _table(told: list[Told], fortunes: list[Fortune]) -> tuple[str, ...]:
    """The latest battles: who one was, the chance at the start, and the luck."""
    cells: list[list[str]] = [[_("battle"), _p("role", "as"), _("chance"), _("luck")]]
    for one, fortune in list(zip(told, fortunes, strict=True))[-SHOWN:]:
        start = 1 - one.start if fortune.defends else one.start
        cells.append([one.id, _(ROLES[one.role]), uncertain(start), points(fortune.luck)])
    return narrow(cells, "<<>>")


def _unevenness(chance: float) -> str:
    """Say how many fair dice look at least as uneven, and whether that is unusual."""
    if chance < UNUSUAL:
        return _("unusual: only {share} of fair dice look this uneven", share=uncertain(chance))
    return _("nothing unusual: {share} of fair dice look at least this uneven", share=uncertain(chance))


async def faces(request: Request, services: Services) -> Reply:
    """Every face of every fair die that ever fell here, counted, and whether that is as even as it should be."""
    counts = await services.store.battles.faces(request.place)
    if not counts:
        with speaking(request.reader):
            return Reply(_("No dice have fallen here yet. `/roll 12 9` rolls some."), private=True)
    common = max(counts, key=lambda sides: sum(counts[sides].values()))
    lines: list[str] = [_("**All fair dice of the battles on this server**")]
    cells: list[list[str]] = [[_("die"), _("face"), _("times"), _("share")]]
    for sides, fell in sorted(counts.items(), key=lambda pair: (pair[0] != common, pair[0])):
        every = [fell.get(face, 0) for face in range(1, sides + 1)]
        total = sum(every)
        told: str = _("too few to tell whether they are fair")
        if total >= LEAST_A_FACE * sides:
            told = _unevenness(uneven(every))
        dice = _n("{n} dice of {sides} sides", "{n} dice of {sides} sides", total, sides=sides)
        lines.append(f"{dice}: {told}")
        die = _p("short", "d{sides}", sides=sides)
        cells += [
            [die, str(face), str(n), in_percent(number(100 * n / total, 2))] for face, n in enumerate(every, start=1)
        ]
    every = [counts[common].get(face, 0) for face in range(1, common + 1)]
    title = _("Every die of {sides} sides", sides=common)
    png = await services.engine.drawn(("faces", *every), "draw_faces", title, every)
    alternative = _n("How often {n} dice showed each face.", "How often {n} dice showed each face.", sum(every))
    return Reply(
        "\n".join(lines),
        table=narrow(cells, "<>>>"),
        note=_("Dice that people typed are not counted; `/verify` checks a battle die by die"),
        picture=Picture(png, f"faces-{sum(every)}.png", alternative),
        private=request.private,
    )
