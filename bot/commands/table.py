"""The table of all commands: the name, function and options of each, and how to show its answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from bot.autocomplete import Suggestion
from bot.commands import (
    answering,
    battle,
    choosing,
    ends,
    guide,
    history,
    live,
    luck,
    need,
    preset,
    presses,
    settings,
    transfer,
)
from bot.commands.comparing import compare
from bot.commands.suggest import suggest, suggest_for_one_game, suggest_names, suggest_questions
from bot.commands.suggest_plans import suggest_battles, suggest_plans
from bot.place_settings import ROLE
from bot.replies import HELP, TURN, Form, Reply
from bot.request import Request, Services
from solver.placing.placing import MOST_TERRITORIES

Suggest = Callable[[Request, Services], Awaitable[list[Suggestion]]]


@dataclass(frozen=True)
class Command:
    """A command: a slash command, a button, an item of a message's menu, or a filled-in form.

    Attributes:
        name: Its name, such as "preset save".
        run: Answers it.
        options: Its options on Discord, in their order; None if it is no slash command.
        typed: The options that follow its name in a line that is typed, in their order; the last one takes the rest of
            the line. None if it cannot be typed.
        suggests: The functions that suggest values while somebody types, by option.
        press_needs: The content of its message that a press needs: a line, a file with presets, or nothing.
        private: Whether an answer in a message of its own is only for the person who asks.
        asks_form: Whether it answers with a form.
        edits: Whether the answer to its button takes the place of the message with the button.
        live: Whether it answers with the next frame of the live battle in that message.
        help: The topic of the help about it; empty if that of the game in its line has it.
        anybody_may_press: Whether a button that everybody sees may ask it with any line. Such a command only answers a
            question: whoever presses acts with their own rights, and somebody else may have written the line.
    """

    name: str
    run: Callable[[Request, Services], Awaitable[Reply | Form]]
    options: tuple[str, ...] | None = None
    typed: tuple[str, ...] | None = None
    suggests: Mapping[str, Suggest] = field(default_factory=dict)
    press_needs: Literal["line", "file", "nothing"] = "line"
    private: bool = False
    asks_form: bool = False
    edits: bool = False
    live: bool = False
    help: str = ""
    anybody_may_press: bool = False


def _question(
    name: str, run: Callable[[Request, Services], Awaitable[Reply | Form]], suggests: Suggest, topic: str = "questions"
) -> Command:
    """Return a command about a line, whose answer takes the place of the one with its button."""
    options, by_option = ("matchup", "private"), {"matchup": suggests}
    return Command(name, run, options, ("matchup",), by_option, edits=True, help=topic, anybody_may_press=True)


def _of_battle(name: str, run: Callable[[Request, Services], Awaitable[Reply]], suggests: Suggest) -> Command:
    """Return a command about a live battle, which is named by its id."""
    return Command(name, run, ("battle",), ("battle",), {"battle": suggests})


_NAMES = {"name": suggest_names}
_LINES = {"name": suggest_names, "matchup": suggest}

COMMANDS = {
    command.name: command
    for command in (
        _question("battle", battle.battle, suggest_battles, ""),
        Command(
            "roll",
            live.roll,
            options=("matchup", "opponent", "private"),
            typed=("matchup",),
            suggests={"matchup": suggest},
            anybody_may_press=True,
        ),
        _question("need", need.need, suggest_questions),
        _question("table", need.table, suggest_questions),
        replace(_question("dice", answering.of_one_game, suggest_questions), edits=False),
        _question("bombing", answering.of_one_game, suggest_for_one_game, "armies"),
        _question("order", answering.of_one_game, suggest_questions, "armies"),
        _question("compare", compare.compare, suggest_plans),
        _question("place", answering.of_one_game, suggest_for_one_game, "armies"),
        _question("conquer", answering.of_one_game, suggest_for_one_game, "conquer"),
        Command(
            "map",
            answering.of_one_game,
            options=("garrisons",),
            typed=("garrisons",),
            suggests={"garrisons": suggest_for_one_game},
            help="presets",
        ),
        # Saved battles:
        Command("preset save", preset.save, ("name", "matchup"), ("name", "matchup"), _LINES, private=True),
        Command("preset list", preset.list_all, (), (), private=True, anybody_may_press=True),
        Command("preset show", preset.show, ("name",), ("name",), _NAMES, anybody_may_press=True),
        Command("preset change", preset.change, ("name", "matchup"), ("name", "matchup"), _LINES, private=True),
        Command("preset rename", preset.rename, ("name", "new"), ("name", "new"), _NAMES, private=True),
        Command("preset note", preset.note, ("name", "text"), ("name", "text"), _NAMES, private=True),
        Command("preset delete", preset.delete, ("name",), ("name",), _NAMES, private=True),
        Command("preset export", transfer.export, (), (), private=True),
        Command("preset import", transfer.preview, ("file", "replace"), ("file",), private=True),
        Command(transfer.IMPORT, transfer.take_in, press_needs="file", edits=True),
        Command("save", preset.ask_name, asks_form=True),
        # Live battles:
        replace(_of_battle("verify", history.verify, history.suggest_battle_ids), options=("battle", "private")),
        Command(
            "luck",
            luck.luck,
            options=("player", "against", "everybody", "private"),
            typed=("everybody",),
            anybody_may_press=True,
        ),
        Command("history list", history.list_battles, ("player",), (), private=True, anybody_may_press=True),
        _of_battle("history open", history.open_battle, history.suggest_battle_ids),
        _of_battle("history share", history.share, history.suggest_battle_ids),
        replace(_of_battle("history export", history.export, history.suggest_battle_ids), private=True),
        replace(_of_battle("history end", history.end, history.suggest_unfinished), private=True),
        Command("history faces", luck.faces, (), ()),
        Command("history forget", history.forget, (), (), private=True),
        Command("roll on", presses.roll_on, edits=True, live=True),
        Command("roll out", presses.roll_out, edits=True, live=True),
        Command("retreat", presses.retreat, edits=True, live=True),
        Command("choose", presses.choose, edits=True, live=True),
        Command("advise", choosing.advise, private=True),
        Command("ask choice", choosing.ask_choice, asks_form=True),
        Command("ask number", choosing.ask_choice, asks_form=True),  # on buttons of earlier versions
        Command("ask dice", presses.ask_dice, asks_form=True),
        Command("real dice", presses.real_dice, edits=True, live=True),
        # Settings and help:
        Command(
            "settings",
            settings.settings,
            options=(
                *("game", "edition", "behind", "show", "private", ROLE, f"no_{ROLE}", "history", "language", "channel"),
            ),
            typed=("setting",),
            suggests={name: partial(settings.suggest_variants, name) for name in ("game", "edition")},
            private=True,
        ),
        *(
            Command(name, partial(settings.form, name), press_needs="nothing", asks_form=True)
            for name in settings.PAGES
        ),
        Command(settings.CHANGE, partial(settings.change, False), edits=True),
        Command(settings.CHANGE_OWN, partial(settings.change, True), edits=True),
        Command(settings.OF_SERVER, partial(settings.turn, False), press_needs="nothing", edits=True),
        Command(settings.OF_CHANNEL, partial(settings.turn, True), press_needs="nothing", edits=True),
        Command(settings.AS_SERVER, settings.forget_own, press_needs="nothing", edits=True),
        Command(
            HELP,
            guide.show_help,
            options=("topic",),
            typed=("topic",),
            suggests={"topic": guide.suggest_topics},
            press_needs="nothing",
            private=True,
            anybody_may_press=True,
        ),
        Command("privacy", guide.show_privacy, (), (), private=True),
        Command(TURN, guide.show_help, press_needs="nothing", edits=True),
        # A message's menu, and the buttons under an answer:
        Command("find", battle.find),
        Command("swap", answering.change, edits=True),
        Command("rulebook", answering.change, edits=True),
        Command("as typed", battle.as_typed, edits=True),
        Command("more", answering.change, edits=True),
        Command("fewer", answering.change, edits=True),
        Command("ends", partial(ends.all_ends, "chance"), edits=True),
        Command("ends money", partial(ends.all_ends, "money"), edits=True),
        Command("ends winner", partial(ends.all_ends, "winner"), edits=True),
        Command("edit", battle.edit, asks_form=True),
        Command("plan a", battle.plan_a, edits=True),
        Command("plan b", battle.plan_b, edits=True),
        Command("swap plans", compare.swap_plans, edits=True),
        Command("edit plans", compare.edit_plans, asks_form=True),
        # Buttons of one game:
        Command("best attack", answering.of_one_game, edits=True),
        Command("best defence", answering.of_one_game, edits=True),
        Command("conquer all", answering.change, edits=True),
        Command("conquer most", answering.change, edits=True),
        Command("bombing more", answering.of_one_game, edits=True),
        Command("bombing fewer", answering.of_one_game, edits=True),
        Command("bombing edit", answering.of_one_game, asks_form=True),
        Command("place all", answering.of_one_game, edits=True),
        Command("place most", answering.of_one_game, edits=True),
        Command("place value", answering.of_one_game, edits=True),
        Command("edit placing", answering.of_one_game, asks_form=True),
        *(
            Command(f"place odds {number}", answering.of_one_game, edits=True)
            for number in range(1, MOST_TERRITORIES + 1)
        ),
    )
}
"""All commands by their names. Those that can be typed are tried, and listed for people, in this order."""
