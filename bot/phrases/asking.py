"""Asks back where a phrase does not say enough, or has words that may change a battle: the sentences, and the words."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.languages import N_, Translation, _
from bot.phrases.meaning import NotClearError
from bot.phrases.tag import NOTHING, OF_UNITS, Tag, has_role, has_table, tag_at, values_of

DICE_ALONE = "dice alone"
SENTENCES = {
    "no armies": N_("How many armies are there on each side?"),
    "how many": N_("How many units of each kind are there?"),
    "one number": N_("That is the number of one side only. What is the other?"),
    "who attacks": N_("Who attacks?"),
    "third number": N_("What is the third number? Several territories are read in the order in which they fall."),
    "units against a number": N_("One side has units, the other only a number. Which units are those?"),
    "one army": N_("That is one army only. Which units are on the other side?"),
    "leave": N_("Do these stay behind from the start, or does the attack stop with them?"),
    "a number is left": N_("I don't know what to do with all these numbers."),
    "so many ships": N_("How many ships of each kind are there?"),
    "what comes next": N_("Which army comes after the first?"),
    "which faces": N_("Which faces does the die have?"),
    "through with how many": N_("How many armies attack?"),
    "points beside a battle": N_("Do you mean a battle, or a raid on a factory?"),
    "which dice": N_("Which dice does each side roll?"),
    "no word between the sides": N_("Where does one side end and the other begin? Put `vs` between them."),
    "which variant": N_("Which variant do you mean?"),
    "which rules": N_("That doesn't name all the options. Add them, or paste the battle line from the same answer."),
    "which units": N_("Which units does each side have?"),
    "which side": N_("Which side is that about?"),
    "strafe": N_("When does the attacker retreat? Say after how many rounds, for example `rounds:1`."),
    "which army": N_("Which army does each wave fight?"),
    "a battle beside another question": N_("That is more than one question. Ask one at a time."),
    "a chance beside a battle": N_("Do you want the odds, or the armies for this chance?"),
    "need against how many": N_("How many armies are on the other side?"),
    "how many dice": N_("How many dice does each side roll?"),
    DICE_ALONE: N_("I roll battles: how many armies are there on each side?"),
    "a raid": N_("How many bombers are there, and how much damage can the factory take?"),
    "two plans": N_("Type two plans with `or` between them."),
    "the second plan": N_("What is different in the second plan?"),
    "which attacks": N_("Which units attack each territory?"),
    "another command": N_("Another command answers that."),
    "a preset beside a battle": N_("Do you mean the preset, or the numbers?"),
    "which start": N_("Where does the attack start?"),
    "which targets": N_("Which territories do you want?"),
    "whose territory": N_("Which territories are yours, and which ones do you attack?"),
    "whose garrisons": N_("Which number belongs to which territory?"),
    "how many start": N_("How many armies attack?"),
    "out of reach": N_("The attack can't reach all these territories from there."),
    "which territory": N_("Which territory is worth that much? Add `value:3 indonesia` to a line."),
    "too long": N_("That is too long for a battle."),
}
"""The sentences that ask back, by the reasons of `NotClearError`."""
UNKNOWN = "what is "
"""How the reason begins where a word is not known."""


def sentence_for(why: str) -> Translation:
    """Return the sentence that asks for what is missing; a reason that the notation gives is one already."""
    if why.startswith(UNKNOWN):
        return _("I don't know `{word}`.", word=why.removeprefix(UNKNOWN).replace("`", "'"))
    return _(SENTENCES.get(why, why) or N_("I don't understand that."))


LONGEST_ARTICLE = 2
"""The most letters of the articles "a" and "an"."""
OF_PLANS = {"need", "need defenders", "place", "compare"}
"""The questions about plans, of which a phrase names the limits: "split 9 inf between ...", "I have up to 9 inf"."""


class Vague(NamedTuple):
    """A word that may make a difference, with those beside it, the phrase, and what that asks."""

    word: Tag
    before: Tag
    after: Tag
    tags: Sequence[Tag]
    asked: set[str]


def _counts_more(vague: Vague) -> bool:
    """Tell whether a word only says that a number is added, as in "2 more inf" and "through 5, then 5 more"."""
    if vague.word.text != "more" or vague.before.table != "number":
        return False
    if vague.after.table in OF_UNITS or vague.after.is_role("points"):
        return True
    raid = any(question.startswith("bombing") for question in vague.asked)
    return raid or has_role(vague.tags, "through", "row", "attack through")


_HARMLESS: Mapping[str, Callable[[Vague], bool]] = {
    "at_least": lambda it: "chance" in (it.before.table, it.after.table),
    "another": lambda it: it.before.is_role("then", "and") and it.after.table == "number",
    "rules": lambda it: has_table(it.tags, "options", "variants"),
    "choice": lambda it: bool(it.asked & {*OF_PLANS, "bombing", "table"}),
    "later": lambda it: bool(it.asked & OF_PLANS) or has_role(it.tags, "counter", "or"),
    "approximate": lambda it: "table" in it.asked or it.after.table != "number",
    **dict.fromkeys(("vague", "apart", "capital"), _counts_more),
}
"""When words that may make a difference make none, by their roles."""


def check_words(tags: Sequence[Tag]) -> None:
    """Raise NotClearError if a word is not known, or may make a difference that nobody can tell."""
    for index, tag in enumerate(tags):
        if (
            tag.table == "unknown"
            or (tag.is_role(*_HARMLESS) and not _is_harmless(tags, index))
            or (tag.table == "sign" and any(letter.isdecimal() for letter in tag.text))
            or (tag.table == "noise" and tag.value == "1" and _stands_for_armies(tags, index))
        ):
            raise NotClearError(f"{UNKNOWN}{tag.text}")


def _is_harmless(tags: Sequence[Tag], index: int) -> bool:
    asked = {*values_of(tags, "questions")}
    vague = Vague(tags[index], tag_at(tags, index - 1), tag_at(tags, index + 1), tags, asked)
    return _HARMLESS[tags[index].value](vague)


def _stands_for_armies(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a word for one refers to armies named before: "he has one"."""
    after = next((tag for tag in tags[index + 1 :] if not tag.means_nothing), NOTHING)
    last = after is NOTHING or after.table == "sign"
    return len(tags[index].text) > LONGEST_ARTICLE and tag_at(tags, index - 1).is_role("have") and last
