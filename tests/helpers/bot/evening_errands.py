"""What people come for on an evening: odds and what follows from them, questions, live battles, set-ups, the rest."""

import asyncio
from collections.abc import Awaitable, Mapping
from functools import partial
from typing import Any

from bot.discord_app import frames
from tests.fake_discord import Interaction, Modal, Person, Shown
from tests.fake_discord.posts import Post
from tests.helpers.bot.evening import Errand, Evening, LostError, Table, button_of
from tests.helpers.bot.evening_lines import OFTEN, QUESTIONS, WRONG
from tests.helpers.bot.lines import parse, write
from tests.helpers.bot.storm import battle_in, dice_for

MOVES = {
    **{"roll on": "Roll", "roll out": "Roll to the end", "retreat": "Retreat", "ask dice": "Real dice"},
    **{"keep": "Keep these losses"},
}
"""The buttons of a live battle by the commands they call."""
PACE = {"roll on": 8, "roll out": 1, "retreat": 1, "ask dice": 1, "keep": 8}
"""How often each of these is pressed, for one another."""
MOST_SETUPS = 3
"""How many set-ups a person has at a time."""

Setups = Mapping[str, tuple[str, str] | None]
"""Lines and notes by name; None where there is nothing of that name any more."""


async def battle(evening: Evening, who: Person, table: Table) -> None:
    """The odds of a battle, and what follows from them."""
    chance = evening.chance
    line = _line(evening)
    if chance.random() < 0.7:
        await evening.types(who, "battle", line)
    shown = await evening.runs(who, "battle", matchup=line, private=chance.random() < 0.15)
    for _ in range(chance.choice((0, 0, 1, 2))):
        if pressed := await evening.presses(who, shown, "swap", "more", "fewer"):
            shown = _after(pressed, shown)
    match chance.randrange(12):
        case 0 | 1:
            await evening.presses(who, shown, "need", "table", "order")
        case 2:
            await _edit(evening, who, shown)
        case 3:
            await _save_form(evening, who, shown)
        case 4 if table is not evening.tables[-1] and (pressed := await evening.presses(who, shown, "roll")):
            await _fight(evening, [who], _after(pressed, shown))


async def question(evening: Evening, who: Person, table: Table) -> None:
    """One of the other questions, and a button under its answer."""
    command = evening.chance.choice(list(QUESTIONS))
    line = evening.lines[command].one(evening.chance)
    await evening.types(who, command, line)
    options = {"matchup": line} if line else {}
    shown = await evening.runs(who, command, **options)
    if evening.chance.random() < 0.3:
        buttons = "battle", "plan a", "swap plans", "best attack", "place most", "bombing more", "table"
        await evening.presses(who, shown, *buttons)


async def mistyped(evening: Evening, who: Person, table: Table) -> None:
    """A line that is no battle."""
    line = evening.chance.choice(WRONG)
    await evening.types(who, "battle", line)
    await evening.runs(who, evening.chance.choice(("battle", *QUESTIONS)), matchup=line)


async def roll(evening: Evening, who: Person, table: Table) -> None:
    """A battle fought live, in half of the cases by two."""
    if table is evening.tables[-1]:
        return  # whose history is switched off now and then
    line = _line(evening)
    if who in table.people and evening.chance.random() < 0.5:
        other = evening.chance.choice([one for one in table.people if one is not who])
        shown = await evening.runs(who, "roll", matchup=line, opponent=other)
        await _fight(evening, [who, other], shown)
    else:
        shown = await evening.runs(who, "roll", matchup=line, private=evening.chance.random() < 0.1)
        await _fight(evening, [who], shown)


async def setups(evening: Evening, who: Person, table: Table) -> None:
    """Something with a saved set-up of one's own: save it, use it, show it, give it another name, ..."""
    async with evening.alone[who.id]:
        mine = evening.mine[who.id]
        if (len(mine) < MOST_SETUPS and evening.chance.random() < 0.5) or not mine:
            name, line = _new_name(evening), _canonical(evening)
            await _changes(evening, who, "preset save", {name: (line, "")}, name=name, matchup=line)
            return
        name = evening.chance.choice(list(mine))
        line, note = mine[name]
        match evening.chance.randrange(8):
            case 0 | 1 | 2:
                await evening.types(who, "battle", name)
                await evening.runs(who, "battle", matchup=name)
            case 3:
                await evening.runs(who, "preset list")
                await evening.runs(who, "preset show", name=name)
            case 4:
                new = _new_name(evening)
                await _changes(evening, who, "preset rename", {name: None, new: (line, note)}, name=name, new=new)
            case 5:
                note = f"note {evening.commands} of *{who.name}* @everyone"
                await _changes(evening, who, "preset note", {name: (line, note)}, name=name, text=note)
            case 6:
                line = _canonical(evening)
                await _changes(evening, who, "preset change", {name: (line, note)}, name=name, matchup=line)
            case _:
                await _changes(evening, who, "preset delete", {name: None}, name=name)


async def past(evening: Evening, who: Person, table: Table) -> None:
    """Luck and history."""
    other = evening.chance.choice(table.people)
    match evening.chance.randrange(7):
        case 0:
            await evening.runs(who, "luck")
        case 1:
            await evening.runs(who, "luck", everybody=True)
        case 2 if who in table.people:
            await evening.runs(who, "luck", player=other)
        case 3:
            await evening.runs(who, "history list")
        case 4:
            await evening.runs(who, "history export")
        case 5:
            await evening.runs(who, "history faces")
        case _:
            await evening.runs(who, "verify")


async def manage(evening: Evening, who: Person, table: Table) -> None:
    """Help, and the settings of a server: in the last the history is switched, in the others a role may do more."""
    if evening.chance.random() < 0.5:
        await evening.runs(who, "help")
        return
    manager = table.people[0]
    given: dict[str, Any] = {"setup_role": table.role}
    if table is evening.tables[-1]:
        given = {"history": evening.chance.choice(("on", "off"))}
    ((key, value),) = given.items()
    written = value if isinstance(value, str) else str(table.role.id)
    async with evening.alone[manager.id]:
        try:
            shown = await evening.runs(manager, "settings", **given)
        except LostError:
            evening.settings.doubt(table.place, key, written)
            raise
        if "/settings" in shown.content:
            evening.settings.confirm(table.place, key, written)


async def message(evening: Evening, who: Person, table: Table) -> None:
    """A message to the bot, or one with a battle in it, of which somebody asks the odds from the menu."""
    line = _line(evening)
    if not who.channel.bot_is_here:
        who = table.people[0]
    if who in table.people and evening.chance.random() < 0.4:
        said = await evening.chance.choice(table.people).says(f"shall we? {line}", reply=False)
        await evening.asks("menu", lambda: who.begins_using("Battle odds", said))
    else:
        await evening.says(who, f"@bot {line}" if who in table.people else line)


ERRANDS: dict[Errand, int] = {
    battle: 50,
    question: 18,
    mistyped: 4,
    roll: 8,
    setups: 8,
    past: 5,
    manage: 3,
    message: 6,
}
"""What people come for, and how often for one another."""


def _line(evening: Evening) -> str:
    """A battle of any game."""
    game = evening.chance.choices(list(OFTEN), list(OFTEN.values()))[0]
    return evening.lines[game].one(evening.chance)


def _canonical(evening: Evening) -> str:
    """A battle as it is written by us."""
    line = evening.lines[evening.chance.choice(("risk", "ships", "land"))].one(evening.chance)
    return write(parse(line, takes=("exact",)).battle)


def _place(who: Person) -> str:
    """Where set-ups of somebody are kept: with the server, or with the person where the bot is not."""
    guild = who.channel.guild
    return f"guild:{guild.id}" if guild and guild.has_bot else f"user:{who.id}"


def _new_name(evening: Evening) -> str:
    """A name that no set-up has."""
    return f"camp-{next(evening.numbers)}"


def _after(pressed: Interaction, before: Shown) -> Shown:
    """The message after a press."""
    return pressed.result.shown() if isinstance(pressed.result, Post) else before


async def _edit(evening: Evening, who: Person, shown: Shown) -> None:
    """The form to change a battle, opened and sent."""
    pressed = await evening.presses(who, shown, "edit")
    if pressed and isinstance(form := pressed.result, Modal):
        text = {form.fields[0].custom_id: _line(evening)}
        await evening.asks("form: edit", lambda: who.begins_submitting(form, text))


async def _save_form(evening: Evening, who: Person, shown: Shown) -> None:
    """The form to save a battle under a name, opened and sent."""
    async with evening.alone[who.id]:
        pressed = await evening.presses(who, shown, "save")
        if pressed and isinstance(form := pressed.result, Modal):
            name, line = _new_name(evening), form.field("matchup").value
            asking = evening.asks("form: save", lambda: who.begins_submitting(form, {"name": name}))
            await _notes(evening, who, {name: (line, "")}, asking)


async def _changes(evening: Evening, who: Person, command: str, after: Setups, **options: Any) -> None:
    """A command that changes set-ups, and what there will be then."""
    await _notes(evening, who, after, evening.asks(f"/{command}", lambda: who.begins(command, **options)))


async def _notes(evening: Evening, who: Person, after: Setups, asking: Awaitable[Interaction]) -> None:
    """Ask for a change of set-ups, and note whether it was made, which the answer tells by their names."""
    mine, place = evening.mine[who.id], _place(who)
    try:
        result = (await asking).result
    except LostError:
        for name, setup in after.items():
            mine.pop(name, None)  # nobody knows, so nobody builds on it
            evening.setups.doubt(place, name, setup and "|".join(setup))
        raise
    if not isinstance(result, Post) or f"`{next(iter(after))}`" not in result.content:
        return  # the bot was just leaving
    for name, setup in after.items():
        evening.setups.confirm(place, name, setup and "|".join(setup))
        mine.pop(name, None)
        if setup:
            mine[name] = setup


async def _fight(evening: Evening, people: list[Person], shown: Shown) -> None:
    """Press this and that under a live battle, each time after a look at what fell: the attacker, or the defender."""
    chance = evening.chance
    evening.battles.add(battle_in(shown.content) or "")
    for _ in range(evening.rounds):
        await asyncio.sleep(frames.GAP * (1.1 + chance.random()))
        now = evening.now(shown)
        commands = [command for command in PACE if button_of(now, command)]
        if not commands:
            return
        command = chance.choices(commands, [PACE[command] for command in commands])[0]
        press = partial(_press, evening, people[-1 if command == "keep" else 0], now, command)
        pressed = await evening.asks(f"button: {command}", press)
        if isinstance(form := pressed.result, Modal):
            who = Person(evening.discord, pressed.user, pressed.channel)
            await evening.asks("form: real dice", partial(_send_dice, evening, who, form))


def _press(evening: Evening, who: Person, shown: Shown, command: str) -> Interaction:
    """Press a button of a live battle, and note that."""
    custom_id = button_of(shown, command) or ""
    return evening.storm.note(who.begins_pressing(shown, custom_id), MOVES[command], custom_id).asked


def _send_dice(evening: Evening, who: Person, form: Modal) -> Interaction:
    """Type dice into the form for them, and note that."""
    asked = who.begins_submitting(form, {"dice": dice_for(form, evening.chance)})
    return evening.storm.note(asked, "typed", form.custom_id).asked
