"""/luck and /history faces: how lucky a player or a pair was, all players ranked by luck, and how evenly dice fell."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from bot.autocomplete import Suggestion
from bot.charts import FACES, LUCK, RANKING, RankedPlayer
from bot.commands import fought
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, in_percent, number, speaking
from bot.names import safe_name
from bot.replies import Picture, Reply, without_marks
from bot.request import Request, Services
from bot.store.records import LuckRecord
from bot.words.luck import UNUSUAL, left_out_text, points, rarity
from bot.words.narrow import narrow, unbroken
from bot.words.numbers import exact_percent, signed_tenths, unsure_percent
from solver.luck import LEAST_BATTLES, BattleLuck, TotalLuck, evenness_p_value, total_luck

LEAST_A_FACE = 5
"""Each face must be expected at least so often before the answer says how even the dice are."""
ROLES = {"attacker": N_("attacker"), "defender": N_("defender")}
SHOWN = 10
"""The most battles in the table, and the most players in a ranking."""
TONIGHT, NIGHT = "tonight", 12
"""A word for the time since so many hours ago."""
SINCE = TONIGHT, "3h", "1d", "7d", "30d"
"""Times that are suggested, before the last DAYS days."""
DAYS = 7
ARROW = "→"
"""Stands in a suggestion between what `since:` takes and what that means."""
LONGEST_NAME = 14
OF_ROLLED = "player", "against", "everybody", TONIGHT, "since"
"""The options that choose among the battles rolled here."""


class Span(NamedTuple):
    """The time since which battles count, in words too."""

    start: datetime
    text: str


async def luck(request: Request, services: Services) -> Reply:
    """Say how lucky a person or a pair was in the battles that are stored here, or rank all players."""
    if text := _text_of_battles(request.options):
        return await fought.answer(text, request, services)
    options = _with_words(request.options)
    user, other = options.get("player", request.user), options.get("against")
    span, everybody = _span(options, datetime.now(UTC)), bool(options.get("everybody"))
    if everybody and (other or "player" in options):
        raise UserError(_("`everybody` is about all players here, so leave out `player` and `against`."))
    if other == user:
        raise UserError(_("For `against`, pick someone other than the player."))
    since = span and span.start
    records = await services.store.battles.luck_records(request.place, None if everybody else user, other, since)
    who = _("Everyone here") if everybody else safe_name(options.get("player_name", request.user_name))
    if other:
        who = _("{player} against {opponent}", player=who, opponent=safe_name(options["against_name"]))
    if not records:
        with speaking(request.reader):
            none = N_("**{player}: no battles in that time.**") if span else N_("**{player}: no battles yet.**")
            counts = _("Battles rolled with `/roll` count, up to the first dice that someone typed.")
            return Reply(f"{_(none, player=who)} {counts}", private=True)
    if everybody:
        return await _ranking(records, span, request, services)
    fortunes = [_luck_of(record) for record in records]
    whole = total_luck(fortunes)
    png = await services.engine.draw(LUCK, None, _in_span(who, span), fortunes)
    summary, explanation = _in_span(_summary(who, whole), span), _rarity_text(whole)
    return Reply(
        summary,
        facts=(explanation,),
        table=_table(records, fortunes),
        note=_("Luck = how much the dice changed your win chance; it averages out to 0, whatever you decide"),
        picture=Picture(png, f"luck-{len(records)}.png", without_marks(f"{summary}. {explanation}")),
        private=request.private,
    )


def _text_of_battles(options: Mapping[str, str]) -> str:
    """Return the text about battles fought elsewhere; empty if there is none."""
    text, words = options.get("fought", ""), options.get("words", "")
    if text and any(options.get(name) for name in OF_ROLLED):
        raise UserError(_("`fought` is about battles that you tell me, so leave out the other options."))
    two = re.search(r"\d.*\D\d", words, re.DOTALL) and "since" not in words.casefold()
    return text or (words if two or fought.tells_ends(words) else "")


def _with_words(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options, with those that are typed as words: "everybody tonight", "since:3h"."""
    typed = re.sub(r"\bsince\s*:?\s*", "since:", options.get("words", "").casefold())
    typed = re.sub(r"\branking\b", "everybody", typed)
    given = {name: value for name, value in options.items() if name != "words"}
    for word in typed.split():
        name, _colon, value = word.partition(":")
        if name not in ("everybody", TONIGHT, "since") or bool(value) is not (name == "since"):
            kinds = "`/luck`, `/luck everybody`, `/luck tonight`, `/luck since:3h`, `/luck 12 9 lost 4`"
            raise UserError(_("Type one of these: {kinds}. In Discord it has options.", kinds=kinds))
        given[name] = value or "yes"
    return given


def _span(options: Mapping[str, str], now: datetime) -> Span | None:
    """Return the time since which battles count, the later one of two; None if all do."""
    spans = [_hours(now, NIGHT)] if options.get(TONIGHT) else []
    if text := _typed_since(options):
        spans.append(_hours(now, NIGHT) if text == TONIGHT else _read_since(text, now))
    return max(spans, default=None)


def _typed_since(options: Mapping[str, str]) -> str:
    return options.get("since", "").partition(ARROW)[0].strip().casefold()


async def suggest_since(request: Request, services: Services) -> list[Suggestion]:
    """Suggest times since which battles count, which begin as the typed text does."""
    typed, now = _typed_since(request.options), datetime.now(UTC)
    days = (f"{now - timedelta(days=ago):%Y-%m-%d}" for ago in range(DAYS))
    suggestions = []
    for text in dict.fromkeys([typed, f"{typed}h", f"{typed}d", *SINCE, *days]):
        with suppress(UserError):
            if text.startswith(typed) and (span := _span({"since": text}, now)):
                suggestions.append(Suggestion(f"{text} {ARROW} {span.text}", text))
    return suggestions


def _hours(now: datetime, hours: int) -> Span:
    return Span(now - timedelta(hours=hours), _n("last hour", "last {n} hours", hours))


def _read_since(text: str, now: datetime) -> Span:
    """Return the time since which battles count from "3h", "2d" or a date; UserError if it is none of these."""
    if match := re.fullmatch(r"0*([1-9]\d{0,3})\s*([hd])", text):
        count = int(match[1])
        if match[2] == "h":
            return _hours(now, count)
        return Span(now - timedelta(days=count), _n("last day", "last {n} days", count))
    try:
        start = datetime.combine(date.fromisoformat(text), time(), UTC)
    except ValueError:
        forms = f"`3h`, `2d`, `{now:%Y-%m-%d}`"
        raise UserError(_("`since:` takes hours, days or a date, for example {forms}.", forms=forms)) from None
    if start > now:
        raise UserError(_("That day has not begun yet."))
    return Span(start, _("since {day}", day=f"{start:%Y-%m-%d}"))


def _in_span(text: str, span: Span | None) -> str:
    """Add to a text since when battles count."""
    return f"{text} · {span.text}" if span else text


def _luck_of(record: LuckRecord) -> BattleLuck:
    """Return the luck of the player of a record."""
    return BattleLuck(record.start, record.chance, record.role == "defender")


class Ranking(NamedTuple):
    """Players by their luck, the luckiest first; of many those at both ends.

    Attributes:
        players: The players in the table.
        left_out: How many in the middle are not.
        judged: The number of all players with enough battles to tell how rare their luck is.
        attackers: The luck of all attackers together.
    """

    players: list[RankedPlayer]
    left_out: int
    judged: int
    attackers: TotalLuck


def _rank(records: Sequence[LuckRecord]) -> Ranking:
    """Rank the players of these battles; whoever asked to be forgotten is not among them."""
    lucks: dict[str, list[BattleLuck]] = {}
    for record in records:
        if record.user is not None:
            lucks.setdefault(record.user, []).append(_luck_of(record))
    names = {record.user: safe_name(record.name) for record in records if record.user is not None}
    order = sorted(lucks, key=lambda user: -sum(battle.luck for battle in lucks[user]))
    left_out = max(len(order) - SHOWN, 0)
    shown = [*order[: SHOWN // 2], *order[-SHOWN // 2 :]] if left_out else order
    players = [RankedPlayer(names[user], total_luck(lucks[user])) for user in shown]
    judged = sum(len(battles) >= LEAST_BATTLES for battles in lucks.values())
    attackers = total_luck(_luck_of(record) for record in records if record.role == "attacker")
    return Ranking(players, left_out, judged, attackers)


async def _ranking(records: list[LuckRecord], span: Span | None, request: Request, services: Services) -> Reply:
    """Return the players of these battles by their luck."""
    # The exact law of thousands of battles takes a while.
    players, left_out, judged, attackers = await asyncio.to_thread(_rank, records)
    title = _in_span(_n("**Luck of {n} player**", "**Luck of {n} players**", len(players) + left_out), span)
    facts = [f"{without_marks(_summary(_('All attackers'), attackers))}. {_rarity_text(attackers)}"]
    if left_out:
        facts.append(left_out_text(left_out))
    if judged > 1:
        share = unsure_percent(1 / judged)
        facts.append(
            _(
                "Of {n} players with {least} battles or more, chance alone puts about one at {share} or below.",
                n=judged,
                least=LEAST_BATTLES,
                share=share,
            )
        )
    png = await services.engine.draw(RANKING, None, without_marks(title), players, left_out) if players else None
    return Reply(
        title,
        facts=tuple(facts),
        table=_ranking_table(players, left_out) if players else (),
        note=_(
            "Luck = wins above or below what was expected; by chance = how often luck is this extreme, "
            "good or bad, from {n} battles on",
            n=LEAST_BATTLES,
        ),
        picture=Picture(png, f"ranking-{len(records)}.png", without_marks(title)) if png else None,
        private=request.private,
    )


def _ranking_table(players: Sequence[RankedPlayer], left_out: int) -> tuple[str, ...]:
    """Return the table of a ranking, with a gap where players are left out."""
    cells: list[list[str]] = [[_("player"), _("luck"), _("battles"), _("by chance")]]
    for name, total in players:
        chance = "" if total.rarity is None else unsure_percent(total.rarity)
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
        cells.append([unbroken(short), signed_tenths(total.luck), str(total.n), chance])
    if left_out:
        cells.insert(1 + len(players) // 2, ["…", "", "", ""])
    return narrow(cells, "<>>>")


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
    z = number(whole.z, 1, "+z")
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
            return Reply(_("No dice have been rolled here yet. Try `/roll 12 9`."), private=True)
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
