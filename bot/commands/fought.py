"""How unlucky was that? Battles that somebody tells the ends of, one or several in a row: "12 9 lost 4; 8 3 won 2"."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, NamedTuple

from bot.charts import LUCK, RESULT, DrawnResult, swings_of
from bot.errors import UserError
from bot.games.base import Reading, Rooms, require
from bot.games.live import LACKS
from bot.languages import N_, _, number
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from bot.phrases.canonical import without_places
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services, read_question
from bot.words.luck import luck_sentence
from bot.words.narrow import with_texts
from bot.words.numbers import unsure_number, unsure_percent
from bot.words.result import Result, chance_text, facts, luck_text, tails_text, to_dict, verdict, worse_text
from bot.work.engine import Engine
from solver.game import GameOdds
from solver.luck import BattleLuck, LuckStanding, stand_among, total_luck, wins_law

MOST_BATTLES = 10
"""The most battles in a row."""
LONGEST_TEXT = 2_000
"""The most characters that tell of them."""
ENDED = re.compile(r"(?<=[\s,:])(won|wins?|lost|loses?)\b")
SHAPE = N_("Type battles with how they ended, `;` between them: `12 9 lost 4; 20 3 won 5`.")
EXAMPLE = "luck 12 9 lost 4"
Read = Callable[[str], Awaitable[Reading]]
"""Reads the line of a battle."""


class NoResultError(UserError):
    """The error for a text that says in no notation how battles ended."""


class NoLuckError(UserError):
    """The error for a battle of a game that can't tell how lucky an end is."""


class Fought(NamedTuple):
    """A battle with its odds and how it ended."""

    reading: Reading
    odds: GameOdds
    result: Result

    @property
    def luck(self) -> BattleLuck:
        """The attacker's luck, as that of a live battle."""
        return BattleLuck(self.odds.success or 0.0, float(self.result.won))


def tells_ends(text: str) -> bool:
    """Tell whether a text says how battles ended."""
    return bool(ENDED.search(text.casefold()))


async def answer(text: str, request: Request, services: Services) -> Reply:
    """Say how lucky these battles were."""

    async def read(line: str) -> Reading:
        return await read_question(replace(request, options={"matchup": line}), services)

    try:
        battles = await _find(text, read, services.engine, services.rooms)
    except NoLuckError:
        raise
    except UserError as error:
        raise NoResultError(error.text, error.instead, error.label) from None
    return await (
        _answer_one(battles[0], request, services) if len(battles) == 1 else _answer_row(battles, request, services)
    )


async def document(text: str, engine: Engine, rooms: Rooms) -> dict[str, Any]:
    """Answer the JSON question "luck"."""

    async def read(line: str) -> Reading:
        return parse(rooms, line)

    battles = await _find(text, read, engine, rooms)
    rows = []
    for fought in battles:
        by_money = fought.result.standing_by_money
        row = {"line": rooms.write(fought.reading.battle), "won": fought.result.won}
        row |= {"win_chance": fought.odds.success, **to_dict(fought.result.standing)}
        rows.append(row | ({"by_money": to_dict(by_money)} if by_money else {}))
    return {"battles": rows, "together": to_dict(_together(battles))}


async def _find(text: str, read: Read, engine: Engine, rooms: Rooms) -> list[Fought]:
    """Return the battles that a text tells of."""
    battles = []
    for line, end, rest in _split(text):
        try:
            reading = await read(line.strip(" ,:"))
        except MatchupError as error:
            raise UserError(error.text) from None  # It offers a battle without its end.
        if single := without_places(rooms.write(reading.battle)):
            reading = await read(single)
        room = rooms.of(reading.battle)
        if room.find_result is None:
            raise NoLuckError(_(room.refusals.get("luck", LACKS)))
        odds = await engine.odds(reading.battle, reading.exact)
        left = " ".join(rest.strip(" ,:").split())
        result = room.find_result(reading.battle, odds, end.startswith("w"), left)
        if not result.chances[result.matches].any():
            battle = require(room.words).describe(reading.battle)
            wrong = N_("{battle} can't end like that: {end}.") if odds.true_zeros else N_("Too rare for me: {end}.")
            raise UserError(_(wrong, battle=battle, end=result.text))
        battles.append(Fought(reading, odds, result))
    return battles


def _split(text: str) -> list[list[str]]:
    """Split a text into battles, each with its line, the word for its end, and the words behind that."""
    pieces = [piece for piece in re.split(r"[;\n]", text.casefold()) if piece.strip()]
    if len(text) > LONGEST_TEXT or len(pieces) > MOST_BATTLES:
        raise UserError(_("I take up to {most} battles in a row.", most=MOST_BATTLES))
    parts = [ENDED.split(piece, maxsplit=1) for piece in pieces]
    if not parts or any(len(part) == 1 or not part[0].strip() for part in parts):
        raise UserError(_(SHAPE), EXAMPLE)
    return parts


def _together(battles: list[Fought]) -> LuckStanding:
    """Return where the number of wins stands among all such evenings."""
    import numpy as np  # the terminal loads this module with every command

    law = wins_law(fought.luck.start for fought in battles)
    wins = np.arange(len(law))
    return stand_among(wins, law, wins == sum(fought.result.won for fought in battles))


async def _answer_one(fought: Fought, request: Request, services: Services) -> Reply:
    battle, odds, result = fought
    words, line = require(services.rooms.of(battle.battle).words), services.rooms.write(battle.battle)
    standing, picture = result.standing, None
    head, said = f"**{verdict(standing)}**", facts(result, odds)
    if result.amounts is not None:
        drawn = DrawnResult(
            words.titles(battle.battle),
            verdict(standing),
            luck_text(standing),
            f"{result.text}: {chance_text(standing, odds)}",
            swings_of(result.amounts, result.winners, result.chances),
            sorted({*result.amounts[result.matches & (result.chances > 0)].round(2).tolist()}),
            result.names,
            tails_text(standing, odds),
        )
        png = await services.engine.draw(RESULT, (battle.battle, odds.error, result.text), drawn)
        alternative = f"{verdict(standing)}. {said[0]}. {said[1]}."
        picture = Picture(png, picture_name(f"luck {line} {result.text}"), alternative, said[1:])
    return Reply(
        f"{head} · {words.describe(battle.battle)} · {result.text}",
        facts=said,
        remarks=battle.remarks,
        note=f"{_('Luck = share of worse ends, with half of those as good')} · {result.sureness}",
        line=line,
        picture=picture,
        buttons=(Button(_("Odds"), "battle"), Button(_("All endings"), "ends")),
        private=request.private,
    )


async def _answer_row(battles: list[Fought], request: Request, services: Services) -> Reply:
    """Answer about several battles: a row for each, and how lucky they were together."""
    lucks = [fought.luck for fought in battles]
    whole, standing = total_luck(lucks), _together(battles)
    cells: list[list[str]] = [["", _("that or worse"), _("luck")]]
    texts: list[str] = [_("battle")]
    for place, (reading, odds, result) in enumerate(battles, start=1):
        stands = result.standing
        battle = require(services.rooms.of(reading.battle).words).describe(reading.battle)
        cells.append([str(place), worse_text(stands, odds), unsure_number(stands.rank)])
        texts.append(f"{battle}: {result.text}")
    wins, expected = sum(fought.result.won for fought in battles), sum(luck.start for luck in lucks)
    values = {"wins": wins, "n": len(battles), "expected": number(expected, 2)}
    won = _("{wins} of {n} battles won, {expected} expected", **values)
    title = f"**{verdict(standing, evening=True)}** · {won}"
    together = [
        _(
            "Exactly that many wins {exactly} · that many or fewer {fewer} · that many or more {more}",
            exactly=unsure_percent(standing.exactly),
            fewer=unsure_percent(standing.or_worse),
            more=unsure_percent(standing.or_better),
        ),
        f"{luck_text(standing)} · {luck_sentence(whole.luck)}",
    ]
    png = await services.engine.draw(LUCK, None, won, lucks)
    return Reply(
        title,
        facts=tuple(together),
        remarks=tuple(dict.fromkeys(remark for fought in battles for remark in fought.reading.remarks)),
        table=with_texts(cells, ">>>", texts),
        note=_("Luck of the attacker from 0 to 100 in each battle; together only wins count"),
        picture=Picture(png, f"luck-{len(battles)}.png", without_marks(f"{title}. {together[0]}."), tuple(together)),
        private=request.private,
    )
