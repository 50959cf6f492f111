"""The screens of /help that belong to no single game, and the list of all screens."""

from functools import lru_cache

from bot.games.base import Rooms
from bot.games.help import Help, Screen
from bot.languages import LANGUAGES, N_, _, speaking

HOME = Screen(
    N_("← Help"),
    (
        N_("**Who wins?** Ask me for the odds of a battle on your board."),
        N_("Type `/battle`, then attackers, then defenders: `/battle 12 9`"),
        N_("Or say it in your own words: “my 12 against his 9, I have 2 bombers”"),
        "",
        N_("**Risk** `12 9`"),
        N_("**Star Wars Risk** `12 9 bombers:2`"),
        N_("**Icon dice** `icons AAD,A,D,- 3 4`"),
        N_("**Axis & Allies** `3 inf 2 arm vs 4 inf`"),
        N_("**Live battles** `/roll 12 9`, with fair dice"),
        N_("-# More of each: `/help risk`, `starwars`, `icons`, `axis`, `rolling`, `more`"),
    ),
)

QUESTIONS = Screen(
    N_("More questions"),
    (
        N_("**More questions you can ask**"),
        N_(
            "`/need 9` how many you need to beat 9 (80%); `/need 12 vs` to hold against 12; `/need 12 "
            "9 90%` both, at 90%"
        ),
        N_("`/need 5 > 4 > 2` how many take these in a row; `/need 9 left:5+` how many have at least 5 left then"),
        N_("`/table 12 9` a map of chances · `/table 12 9 rounds` round by round · `/table 12 9 stop` when to stop"),
        N_(
            "`/dice 3 2` what one round costs; `/dice 3 fighters:1` what three dice show; `/dice "
            "all` everything at once"
        ),
        N_(
            "`/compare 12 9 stop:4 || stop:6` which plan is better, and by how much; "
            "`/compare 15 vs 9 or 7 or 5` up to five"
        ),
        N_("`/luck 12 9 lost 4` how unlucky you were: the defender had 4 left; `/luck 12 9 lost; 5 2 won 4` together"),
        "",
        N_("Put `or`, `||` or a new line between plans. For later ones, type only what changes."),
        N_("They take the same words as a battle: `/need 9 bombers:1`, `/table 12 9 variant:2210`"),
        N_("`/battle 12 9 all` every ending and its chance · `12 9 exact` as a fraction · `12 9 digits:6` 6 decimals"),
        N_(
            "`12 9 left:5+` how likely it is that at least 5 are left · `lost:..3` at most 3 lost · `dleft:` "
            "`dlost:` the defender"
        ),
        N_("`/battle 12 10 capitals:1 advice` whether fewer dice are better, even by a little"),
        N_("More for Axis & Allies: `/help armies`"),
    ),
    ("need 9", "table 12 9", "dice 3 2", "compare 12 9 stop:4 || stop:6"),
    ("risk", "armies", "more", ""),
)

ROLLING = Screen(
    N_("Live battles"),
    (
        N_("**Live battles** `/roll 12 9`, or **Roll it** under an answer: every die, and the odds after each round."),
        N_("**Roll** one round · **Roll to the end** · **Retreat**. Every game works, with all options of the line."),
        N_(
            "`opponent:` the defender, who is pinged once and chooses the defender's losses; the attacker rolls · "
            "`open:True` everyone presses · `private:` only you see it"
        ),
        N_(
            "**Real dice**: roll your own and type them, `6 4 1 vs 5 3`. A * marks these rounds; they don't count for "
            "luck and statistics. **Take back** undoes the last one; **Mistyped**, or `/history mistyped`, leaves the "
            "battle out of luck and lists"
        ),
        N_(
            "In Axis & Allies `@3 1 6` means two dice that hit on 3 or less. Units are lost in casualty order, or "
            "choose: **What should I lose?** has the odds of each choice"
        ),
        "",
        N_(
            "`/luck` how lucky you were, or a `player:`, a pair (`against:`), all players (`everybody:`) · `tonight:` "
            "the last 12 hours, or `since:2d`"
        ),
        N_("`/history list` `open` `share` `export` earlier battles · `/history faces` counts every face rolled here"),
        N_("`/history end` for moderators: ends a battle early. Anyone can verify it; it doesn't count for luck."),
        N_("`/verify` checks that the dice were fair; `/help fairness` explains how"),
        N_(
            "I store who played and what was rolled, see `/privacy`. `/history forget` removes your name; after "
            "`/settings history:off` I delete each battle when it ends."
        ),
    ),
    ("roll 12 9", "luck", "history list", "verify"),
    ("fairness", "more", ""),
)

FAIRNESS = Screen(
    N_("Fair dice"),
    (
        N_("**Are the dice fair?** Anyone can check every die of a battle."),
        N_(
            "Before the first roll I draw a secret number, the seed, and show the fingerprint of the seed "
            "(commitment). It fits no other seed, so I can't change the seed later."
        ),
        N_(
            "I compute each die from the seed and from two numbers that Discord assigns after that: the id of the "
            "message and the id of your press. So I can't choose a seed for its dice, and you can't predict them."
        ),
        N_(
            "The 8 characters after `log` are a fingerprint (hash) of the rolls: changing any earlier roll would "
            "change them."
        ),
        N_(
            "When the battle is over, **Verify** or `/verify` shows the seed, computes every die again and checks the "
            "rules. It also gives you the log. Check it yourself: open `verify.html` in any browser (it needs no "
            "network), or use `python3 fair.py battle.json` (it needs only Python), or `sandtable verify battle.json`. "
            "Then compare commitment, log and message id with the chat."
        ),
        "",
        N_("**What this does not prove:** that the host runs my program unchanged. See `/help proof`"),
    ),
    ("verify",),
    ("proof", "rolling", "more", ""),
)

PROOF = Screen(
    N_("What is not proved"),
    (
        N_("**What fair dice do not prove** (`/help fairness` explains what they prove)"),
        N_("The host can change my program. A changed program could look at the seed early."),
        N_("It could record another number for your press than Discord gave. Only Discord knows the right one."),
        N_("It could lose a press that rolls badly. The dice in the log would still fit."),
        N_("A battle that someone abandons because it goes badly stays in the history."),
        N_("Dice that players roll on their table and type in are only as honest as the players."),
    ),
    leads=("fairness", "rolling", "more", ""),
)

PRESETS = Screen(
    N_("Presets"),
    (
        N_(
            "**Presets** are saved battles. They belong to the server; in direct messages they are "
            "your own. Anyone can save and use them."
        ),
        N_(
            "`/preset save alamo 12 9`, or **Save** under an answer; then `/battle alamo`, `/roll alamo stop:3`, any "
            "command"
        ),
        N_("`/preset list` all presets · `/preset show alamo` its odds, its note, who saved it"),
        N_("`/preset change alamo 13 9` a new battle; `/preset change alamo alamo stop:3` adds to it"),
        N_("`/preset save germany 8 inf 2 fig` an army for either side of `vs`: `/battle germany vs 6 inf`"),
        N_("`/preset save ourgame 3 indonesia, 2 siam` the garrisons of a board; `/map` shows and changes them"),
        N_("`/preset rename alamo rorke` a new name"),
        N_("`/preset note alamo the last stand` adds a note; `/preset note alamo` removes it"),
        N_("`/preset delete alamo` deletes it"),
        N_(
            "To change someone else's preset you need the Manage Server permission, or the role set "
            "with `/settings setup_role:`."
        ),
        "",
        N_("`/preset export` all presets in one file · `/preset import` reads such a file, on any server."),
        N_(
            "You see first what would change; then you import all of it or nothing. Presets with the "
            "same name stay, unless you add `replace:True`"
        ),
    ),
    ("preset list",),
    ("more", ""),
)

BY_MESSAGE = N_(
    "In a channel, mention me anywhere in a message: `@Sandtable 12 9`. Below an answer, reply with @Sandtable "
    "and what you want to know next: “and with 3 more?”. In direct messages, just type it."
)
"""A line for bots that read messages."""
VERSION = N_("-# Sandtable, version {version}")
"""A line with the version of the program."""

MORE = Screen(
    N_("Everything else"),
    (
        N_("**Everything else**"),
        N_("`/help questions` how many you need, a table, one round, two plans"),
        N_("`/help rules` house rules · `/help variants` dozens of variants"),
        N_("`/help armies` Axis & Allies: what to bring, raids, placement · `/help waves` retreats and waves"),
        N_("`/help presets` presets, battles saved under a name: `/battle ukraine stop:3`"),
        N_("`/help fairness` how anyone can check the dice"),
        "",
        N_(
            "`/settings` the defaults here: game, edition, behind (numbers include the army that "
            "stays behind), show (words, pictures or both), private, setup_role, history, open and wait (who presses "
            "in live battles), language; a channel can have its own"
        ),
        N_("`/settings mine:True` your own choices everywhere: private answers, words or pictures, language, pings"),
        N_("`/privacy` what I store, for how long, and how to delete it"),
        BY_MESSAGE,
        N_("On a message with a battle in it: **Apps → Battle odds**"),
        VERSION,
    ),
    leads=("questions", "rules", "variants", "armies", "presets", "fairness", "rolling", ""),
)

WORDS = {
    **dict.fromkeys(("fair", "seed", "commitment", "hash", "verify", "fair.py"), "fairness"),
    **dict.fromkeys(("roll", "live", "luck", "history", "opponent", "real dice"), "rolling"),
    **dict.fromkeys(("preset", "save", "rename", "note", "import", "export"), "presets"),
    **dict.fromkeys(("setups", "set-ups", "setup_role"), "presets"),
    **dict.fromkeys(
        (
            "need",
            "table",
            "dice",
            "compare",
            "plans",
            "exact",
            "all",
            "ends",
            "advice",
            "digits",
            "left",
            "lost",
            "unlucky",
        ),
        "questions",
    ),
    **dict.fromkeys(("settings", "language", "behind", "privacy", "version"), "more"),
    **dict.fromkeys(("variant", "pack", "packs"), "variants"),
    **dict.fromkeys(("battle", "help"), ""),
}
"""Words that people look for, with the topic that has them, beside those of the games."""


def screens(rooms: Rooms) -> dict[str, Screen]:
    """Return every screen by its topic; the first one is that of no topic."""
    own = {topic: screen for part in helps(rooms) for topic, screen in part.screens.items()}
    games = {topic: screen for topic, screen in own.items() if screen.home}
    return {
        "": HOME._replace(leads=(*games, "rolling", "more")),
        **games,
        "rolling": ROLLING,
        "more": MORE,
        "questions": QUESTIONS,
        **{topic: screen for topic, screen in own.items() if not screen.home},
        "presets": PRESETS,
        "fairness": FAIRNESS,
        "proof": PROOF,
    }


def topic_of(rooms: Rooms, word: str) -> str:
    """Return the topic that has a word which people look for, or the word itself."""
    return words(rooms).get(word, word)


def words(rooms: Rooms) -> dict[str, str]:
    """Return the words that people look for, with their topics."""
    lists = {text: topic for part in reversed(helps(rooms)) for text, topic in part.words.items()} | WORDS
    return {word: topic for text, topic in lists.items() for word in _in_each_language(text)}


@lru_cache
def _in_each_language(text: str) -> tuple[str, ...]:
    """Return the words of a list in every language that translates it."""
    listed: list[str] = []
    for code in LANGUAGES:
        with speaking(code):
            listed += _(text).split(", ")
    return tuple(dict.fromkeys(listed))


def helps(rooms: Rooms) -> list[Help]:
    """Return what the help says of each game."""
    return [room.help for room in rooms if room.help]
