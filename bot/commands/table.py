"""The table of all commands: the name, function and options of each, and how to show its answer."""

from dataclasses import replace
from functools import partial

from bot.commands import fought, settings
from bot.commands.command import Command, Option, Run, Suggest
from bot.games.placing.notation import LONGEST_TYPED as LONGEST_PLACES
from bot.languages import N_
from bot.notation.lexer import TABLES
from bot.notation.plans import LONGEST_PLANS
from bot.notation.reading import LONGEST_TYPED
from bot.presets import LONGEST_NAME, LONGEST_NOTE
from bot.replies import ASK_ON, HELP, IMPORT, TURN
from solver.late import LateModule
from solver.placing.placing import MOST_TERRITORIES

battle, choosing, compare, guide, history, live, luck = (
    LateModule(f"bot.commands.{name}")
    for name in ("battle", "choosing", "comparing.compare", "guide", "history", "live", "luck")
)
mistyped, preset, presses, suggest, transfer = (
    LateModule(f"bot.commands.{name}") for name in ("mistyped", "preset", "presses", "suggest", "transfer")
)

GROUPS = {
    "preset": N_("Presets: saved battles, used by name: /battle ukraine"),
    "history": N_("Battles fought here: open, share and export them"),
}
"""The descriptions of the first words that several commands share."""

BATTLE = N_("Attackers, defenders, options: 12 9 bombers:2")
PRIVATE = Option("private", N_("Only you see the answer"), "privacy")


def _matchup(about: str, suggests: Suggest, required: bool = True, longest: int = LONGEST_TYPED) -> Option:
    return Option("matchup", about, required=required, lengths=(1, longest), suggests=suggests)


def _question(name: str, about: str, run: Run, matchup: Option, topic: str = "questions") -> Command:
    """Return a command about a line, whose answer takes the place of the one with its button."""
    options = matchup, PRIVATE
    return Command(name, run, about, options, private=None, edits=True, help=topic, anybody_may_press=True)


def _battle_id(suggests: Suggest, about: str = N_("Its name; leave it out for the latest")) -> Option:
    return Option("battle", about, suggests=suggests)


def _battle_to_name(suggests: Suggest) -> Option:
    return replace(_battle_id(suggests, N_("Its name, shown under the battle")), required=True)


def _name(about: str = N_("Its name")) -> Option:
    return Option("name", about, required=True, lengths=(1, LONGEST_NAME), suggests=suggest.suggest_names)


COMMANDS = {
    command.name: command
    for command in (
        _question(
            "battle",
            N_("Who wins? The odds, with a picture"),
            battle.battle,
            _matchup(BATTLE, suggest.suggest_battles),
            "",
        ),
        Command(
            "roll",
            live.roll,
            N_("Roll a battle with fair dice, round by round or all at once"),
            (
                _matchup(BATTLE, suggest.suggest),
                Option("opponent", N_("The defending player, who chooses the defender's losses"), "person"),
                Option("open", N_("Everybody here can press the buttons"), "yes or no"),
                replace(PRIVATE, about=N_("Only you see the battle")),
            ),
            anybody_may_press=True,
        ),
        _question(
            "need",
            N_("How many armies do you need? Which ship helps most?"),
            battle.need,
            _matchup(
                N_("Defenders to beat: 9, or 9 90% for another chance; 12 vs to hold against 12"),
                suggest.suggest_questions,
            ),
        ),
        _question(
            "table",
            N_("A map of win chances for all army sizes"),
            battle.table,
            _matchup(N_("A battle to mark, or just rules: 12 9 bombers:2"), suggest.suggest_questions, required=False),
        ),
        replace(
            _question(
                "dice",
                N_("What dice show, and the losses in one round"),
                battle.run_game_command,
                _matchup(
                    N_("3 fighters:1 for what three dice show; 3 2 bombers:1 for one round"),
                    suggest.suggest_questions,
                    required=False,
                ),
            ),
            edits=False,
        ),
        _question(
            "bombing",
            N_("Axis & Allies: is a bombing raid on a factory worth it?"),
            battle.run_game_command,
            _matchup(N_("Bombers, and damage the factory can take: 5 bom vs 20"), suggest.suggest_for_one_game),
            "armies",
        ),
        _question(
            "order",
            N_("Axis & Allies: the best casualty order for each side"),
            battle.run_game_command,
            _matchup(N_("Both sides: 3 inf 2 arm 2 fig vs 5 inf 1 aa"), suggest.suggest_questions),
            "armies",
        ),
        _question(
            "compare",
            N_("Two plans side by side: which is better, and by how much"),
            compare.compare,
            _matchup(
                N_("Two battles with || between; for the second, just what changes: 12 9 stop:4 || stop:6"),
                suggest.suggest_plans,
                longest=LONGEST_PLANS,
            ),
        ),
        _question(
            "place",
            N_("Axis & Allies: where to put your units against several attacks"),
            battle.run_game_command,
            _matchup(
                N_("Your units || attack on each territory, vs units already there: 8 inf || 4 inf vs 1 inf || 3 arm"),
                suggest.suggest_for_one_game,
                longest=LONGEST_PLACES,
            ),
            "armies",
        ),
        _question(
            "conquer",
            N_("Can I take these territories? Best play, on the map"),
            battle.run_game_command,
            _matchup(
                N_("Where from, what, held by how many: 12 siam > australia: 3 2 1 1"), suggest.suggest_for_one_game
            ),
            "conquer",
        ),
        Command(
            "map",
            battle.run_game_command,
            N_("The garrisons on your board, for /conquer: show or change them"),
            (
                Option(
                    "garrisons",
                    N_("What has changed: indonesia 4, or australia: 3 2 1 1; leave empty to see all"),
                    lengths=(1, LONGEST_TYPED),
                    suggests=suggest.suggest_for_one_game,
                    for_all=True,
                ),
            ),
            private=None,
            help="presets",
        ),
        # Saved battles:
        Command(
            "preset save",
            preset.save,
            N_("Save a battle under a name"),
            (_name(N_("One word, such as ukraine")), _matchup(BATTLE, suggest.suggest)),
            private=True,
        ),
        Command("preset list", preset.list_all, N_("All presets here"), private=True, anybody_may_press=True),
        Command(
            "preset show", preset.show, N_("A preset and its odds"), (_name(),), private=None, anybody_may_press=True
        ),
        Command(
            "preset change",
            preset.change,
            N_("Change the battle of a preset"),
            (_name(), _matchup(N_("The new battle; its name stands for the old one: ukraine stop:3"), suggest.suggest)),
            private=True,
        ),
        Command(
            "preset rename",
            preset.rename,
            N_("Rename a preset"),
            (_name(), Option("new", N_("Its new name, one word"), required=True, lengths=(1, LONGEST_NAME))),
            private=True,
        ),
        Command(
            "preset note",
            preset.note,
            N_("Add a note to a preset"),
            (_name(), Option("text", N_("The note; leave empty to remove it"), lengths=(0, LONGEST_NOTE))),
            private=True,
        ),
        Command("preset delete", preset.delete, N_("Delete a preset"), (_name(),), private=True),
        Command("preset export", transfer.export, N_("All presets here, as one file"), private=True),
        Command(
            "preset import",
            transfer.preview,
            N_("Import presets from a file (preview first)"),
            (
                Option("file", N_("A file from /preset export"), "file", required=True),
                Option("replace", N_("Overwrite presets with the same name"), "flag"),
            ),
            typed_as=("file",),
            private=True,
        ),
        Command(IMPORT, transfer.take_in, press_needs="file", edits=True),
        Command("save", preset.ask_name, asks_form=True),
        # Live battles:
        Command(
            "verify",
            history.verify,
            N_("Check that a battle's dice were fair"),
            (_battle_id(history.suggest_battle_ids, N_("Leave it out for the latest here")), PRIVATE),
            private=None,
        ),
        Command(
            "luck",
            luck.luck,
            N_("How lucky were the dice? For you, a player, a pair, or everyone here"),
            (
                Option("player", N_("Whose luck; leave empty for your own"), "person"),
                Option("against", N_("Only battles between these two"), "person"),
                Option("everybody", N_("All players here, from lucky to unlucky"), "flag"),
                Option("tonight", N_("Only battles of the last 12 hours"), "flag"),
                Option(
                    "since",
                    N_("Only battles since then: 3h, 2d, or a date such as 2026-11-27"),
                    lengths=(1, 40),
                    suggests=luck.suggest_since,
                ),
                Option(
                    "fought",
                    N_("How unlucky was that? A battle and its end: 12 9 lost 4; 20 3 won 5"),
                    lengths=(1, fought.LONGEST_TEXT),
                ),
                PRIVATE,
            ),
            typed_as=("words",),
            private=None,
            anybody_may_press=True,
        ),
        Command(
            "history list",
            history.list_battles,
            N_("The latest battles here"),
            (Option("player", N_("Only battles of this player"), "person"),),
            private=True,
            anybody_may_press=True,
        ),
        Command(
            "history open",
            history.open_battle,
            N_("Look at a battle again; one that is not over goes on here"),
            (_battle_id(history.suggest_battle_ids),),
        ),
        Command("history share", history.share, N_("Show a battle to all"), (_battle_id(history.suggest_battle_ids),)),
        Command(
            "history export",
            history.export,
            N_("The log of a battle, as a file that anybody can check"),
            (_battle_id(history.suggest_battle_ids),),
            private=True,
        ),
        Command(
            "history end",
            history.end,
            N_("For moderators: end an unfinished battle"),
            (_battle_to_name(history.suggest_unfinished),),
            private=True,
        ),
        Command(
            "history mistyped",
            history.mark_mistyped,
            N_("Leave a battle with mistyped real dice out of luck and lists"),
            (_battle_to_name(history.suggest_battle_ids),),
            private=True,
        ),
        Command("history faces", luck.faces, N_("How often each face of the dice was rolled here"), private=None),
        Command("history forget", history.forget, N_("Take my name out of all battles and presets"), private=True),
        Command("roll on", partial(presses.press, "round"), edits=True, live=True),
        Command("roll out", partial(presses.press, "end"), edits=True, live=True),
        Command("retreat", partial(presses.press, "retreat"), edits=True, live=True),
        Command("keep", partial(presses.press, "keep"), edits=True, live=True),
        Command("keep always", partial(presses.press, "keep always"), edits=True, live=True),
        Command("choose", partial(presses.press, "chosen"), edits=True, live=True),
        Command("advise", choosing.advise, private=True),
        Command("ask choice", choosing.ask_choice, asks_form=True),
        Command("ask number", choosing.ask_choice, asks_form=True),  # on buttons of earlier versions
        Command("ask dice", presses.ask_dice, asks_form=True),
        Command("real dice", partial(presses.press, "typed"), edits=True, live=True),
        Command("take back", partial(presses.press, "undo"), edits=True, live=True),
        Command("ask mistyped", mistyped.ask, private=True),
        Command("mistyped", mistyped.confirm, edits=True, live=True),
        # Settings and help:
        Command(
            "settings",
            settings.settings,
            N_("Settings of the server, and your own: game, private answers, pictures, language"),
            tuple(settings.slash_options()),
            typed_as=("setting",),
            private=True,
        ),
        *(
            Command(name, partial(settings.form, name), press_needs="nothing", asks_form=True)
            for name in settings.PAGES
        ),
        *(Command(name, partial(settings.change, scope), edits=True) for scope, name in settings.CHANGES.items()),
        *(
            Command(name, partial(settings.turn, scope), press_needs="nothing", edits=True)
            for scope, name in settings.TURNS.items()
        ),
        Command(settings.AS_SERVER, settings.forget_own, press_needs="nothing", edits=True),
        Command(
            HELP,
            guide.show_help,
            N_("What you can ask"),
            (
                Option(
                    "topic",
                    N_("A command, a game or a variant. Leave empty for an overview"),
                    suggests=guide.suggest_topics,
                ),
            ),
            press_needs="nothing",
            private=True,
            anybody_may_press=True,
        ),
        Command("privacy", guide.show_privacy, N_("What I store, for how long, and how to delete it"), private=True),
        Command(TURN, guide.show_help, press_needs="nothing", edits=True),
        # A message's menu, and the buttons under an answer:
        Command("find", battle.find),
        *(Command(name, battle.change, edits=True) for name in ("swap", "rulebook", "more", "fewer")),
        Command("as typed", battle.as_typed, edits=True),
        *(Command(f"table {word}", battle.ask, edits=True) for word in TABLES),
        Command("ends", partial(battle.all_ends, "chance"), edits=True),
        Command("ends money", partial(battle.all_ends, "money"), edits=True),
        Command("ends winner", partial(battle.all_ends, "winner"), edits=True),
        Command("edit", battle.edit, asks_form=True),
        Command(ASK_ON, battle.ask_on, asks_form=True),
        Command("plan a", partial(battle.plan, 0), edits=True),
        Command("plan b", partial(battle.plan, 1), edits=True),
        *(
            Command(f"plan {name}", partial(battle.plan, place), edits=True)
            for place, name in enumerate("cde", start=2)
        ),
        Command("swap plans", compare.swap_plans, edits=True),
        Command("edit plans", compare.edit_plans, asks_form=True),
        # Buttons of one game:
        *(Command(name, battle.change, edits=True) for name in ("conquer all", "conquer most")),
        *(
            Command(name, battle.run_game_command, edits=True)
            for name in (
                *("best attack", "best defence", "bombing more", "bombing fewer", "place all", "place most"),
                *("place value", *(f"place odds {number}" for number in range(1, MOST_TERRITORIES + 1))),
            )
        ),
        *(Command(name, battle.run_game_command, asks_form=True) for name in ("bombing edit", "edit placing")),
    )
}
"""All commands by their names. Those that can be typed are tried, and listed for people, in this order."""
