"""/battle, the buttons under its answer, and other questions that each game answers about its battles."""

import asyncio
import re
from dataclasses import replace

from bot.commands.comparing.compare import compare, read_plans, show_plans
from bot.errors import UserError
from bot.games.base import Reading
from bot.languages import _
from bot.notation.dice_options import ASKED_OF_BATTLE, ASKED_WITH_BATTLE, ASKED_WITH_NEED
from bot.notation.lexer import take_table
from bot.notation.mistakes import MatchupError, without_corrections
from bot.notation.plans import BETWEEN, PLAN_NAMES, Plans, is_pair
from bot.notation.reading import LONGEST_TYPED, parse
from bot.replies import ASK_ON, Form, FormField, Reply
from bot.request import Request, Services, read, read_question

MOST_PIECES = 50


class NoBattleError(UserError):
    """The error for a message without a line of notation."""


async def battle(request: Request, services: Services) -> Reply | Form:
    """Answer with the odds of the line's battle, or compare its two plans."""
    if BETWEEN in request.options["matchup"]:
        return await compare(request, services)
    reading = await read_question(request, services, takes=ASKED_OF_BATTLE, own_commands=True)
    return await _answer_line(reading, request, request, services)


async def find(request: Request, services: Services) -> Reply | Form:
    """Answer about the first battle, or pair of plans, in a text: in back-ticks, or on a line of its own."""
    text = request.options["text"]
    for piece in [*re.findall(r"`([^`\n]+)`", text)[::-1], text, *text.splitlines()][:MOST_PIECES]:
        await asyncio.sleep(0)  # others are answered in between
        # Text in back-ticks was copied from an answer.
        asked = replace(request, options={"matchup": piece}, typed=request.typed and f"`{piece}`" not in text)
        try:
            pair = is_pair(services.rooms, piece)
            with without_corrections():
                meaning = await (
                    read_plans(asked, services)
                    if pair
                    else read_question(asked, services, ASKED_OF_BATTLE, own_commands=True)
                )
        except UserError:
            continue
        if isinstance(meaning, Plans):
            return await show_plans(meaning, request, services)
        return await _answer_line(meaning, asked, request, services)
    raise NoBattleError(_("I found no battle such as `12 9` in that message."), "battle 12 9")


async def _answer_line(reading: Reading, asked: Request, request: Request, services: Services) -> Reply | Form:
    """Answer the line of `asked`: by its game's own command if there is one, else by showing the battle."""
    own = services.rooms.of(reading.battle).notation.own_command
    if own:
        return await run_game_command(replace(asked, command=own.name), services)
    if reading.question == "need":
        return await need(asked, services)  # which takes other words
    return await services.rooms.answer(reading.question, reading, request, services)


async def show(reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of a battle, or with all its ends if the line asks for them."""
    return await services.rooms.answer(reading.question, reading, request, services)


async def change(request: Request, services: Services) -> Reply:
    """Answer about the battle that the pressed button makes of the one before."""
    reading = await read(request, services)
    battle, remarks = services.rooms.change(request.command, reading.battle)
    asked = dict(reading.asked)
    if request.command == "swap" and "end" in asked:
        asked["end"] = asked["end"].swap_sides()
    changed = services.rooms.with_remarks(Reading(battle, remarks, asked=asked))
    return await show(_without_moot_ends(changed, services), request, services)


def _without_moot_ends(reading: Reading, services: Services) -> Reading:
    """Return a reading without the ends asked about where the battle no longer has their units."""
    line = f"{services.rooms.write(reading.battle)} {reading.asked_words()}"
    try:
        parse(services.rooms, line, takes=ASKED_WITH_BATTLE)
    except MatchupError:
        asked = {name: value for name, value in reading.asked.items() if name != "end"}
        gone = _("Left out: `{words}`.", words=reading.asked["end"])
        return reading._replace(asked=asked, of_words=(*reading.of_words, gone))
    return reading


async def run_game_command(request: Request, services: Services) -> Reply | Form:
    """Let the only game answer that has this command."""
    return await services.rooms.command(request.command)(request, services)


async def need(request: Request, services: Services) -> Reply:
    """Check the chance that the line asks for, and let the game answer."""
    # The game limits the battle to what its rulebook allows: it depends on whose army is asked for.
    reading = await read(request, services, takes=ASKED_WITH_NEED, lone="defenders")
    if reading.chance is not None and not 0 < reading.chance < 1:
        raise UserError(_("Give a chance between 0% and 100%, such as `80%`."))
    if "end" in reading.asked:
        words = reading.asked["end"]
        refusal = _("`/need` can't ask for `{words}` here. `/battle` says how likely that is.", words=words)
        try:
            return await services.rooms.answer("need left", reading, request, services, refusal)
        except UserError:
            if request.is_new:
                raise  # else a button asks how many win, below an answer about another end
    return await services.rooms.answer("need", reading, request, services)


async def ask(request: Request, services: Services, lone: str = "") -> Reply:
    """Let the game of the line answer this command; a number that stands alone is of the side `lone`."""
    reading = await read_question(request, services, lone=lone)
    return await services.rooms.answer(request.command, reading, request, services)


async def table(request: Request, services: Services) -> Reply:
    """Let the game show the chances of all sizes, or a battle round by round, or what stopping earlier changes."""
    text, word = take_table(request.options["matchup"])
    if not word:
        return await ask(request, services, lone="attackers")
    asked = replace(request, command=f"table {word}", options={**request.options, "matchup": text})
    try:
        return await ask(asked, services)
    except MatchupError as error:
        error.better = error.better and f"{error.better} {word}"
        raise


async def all_ends(order: str, request: Request, services: Services) -> Reply:
    """List all ends of the battle in one of the orders of `ENDS`."""
    reading = await read(request, services, own_commands=True)
    return await services.rooms.answer(
        "ends", reading._replace(asked={**reading.asked, "all": order}), request, services
    )


async def plan(place: int, request: Request, services: Services) -> Reply:
    """Answer with the odds of one of the plans, 0 for the first; UserError if there are fewer."""
    plans = await read_plans(request, services)
    if place >= len(plans):
        raise UserError(_("There is no plan {plan} here.", plan=PLAN_NAMES[place]))
    return await show(plans[place], request, services)


async def as_typed(request: Request, services: Services) -> Reply:
    """Answer with the odds of a typed battle, although the rulebook forbids it."""
    asked = replace(request, options={"matchup": request.argument})
    return await show(await read(asked, services), asked, services)


async def edit(request: Request, services: Services) -> Form:
    """Ask for another line with a form, filled in with the line of the battle."""
    return Form(_("Change the battle"), "battle", (line_field(request),))


async def ask_on(_request: Request, _services: Services) -> Form:
    """Ask for a follow-up with a form."""
    hint = _("Such as: and with 3 more? · what if he has 10 · stop at 4 · how many for 95%")
    return Form(_("Ask on"), "battle", (FormField("matchup", _("What next?"), most=LONGEST_TYPED, hint=hint),), ASK_ON)


def line_field(request: Request) -> FormField:
    """Return the field of a form with the line of a battle."""
    return FormField("matchup", _("Attackers and defenders"), request.options["matchup"], LONGEST_TYPED)
