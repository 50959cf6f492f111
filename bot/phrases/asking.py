"""Asks back where a phrase is not clear: the sentences, the words that may matter, and the repairs that make offers."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import groupby, pairwise
from typing import NamedTuple

from bot.languages import N_, Translation, _
from bot.phrases.meaning import NotClearError
from bot.phrases.pieces import OR
from bot.phrases.special import OPEN, leaves_options_open, with_each_choice
from bot.phrases.tag import (
    ENDS,
    NOTHING,
    OF_ARMIES,
    OF_UNITS,
    Tag,
    first_meaning,
    has_role,
    has_table,
    tag_at,
    tags_of,
    values_of,
)
from bot.phrases.tokens import Token

DICE_ALONE = "dice alone"
GREETING = "a greeting"
"""The reason where a phrase says nothing but "hello there" or "thanks"; the answer is the first screen of help."""
WHERE_STAND = "where do they stand"
SENTENCES = {
    "no armies": N_("How many armies are there on each side?"),
    GREETING: N_("How many armies are there on each side?"),
    "how many": N_("How many units of each kind are there?"),
    "one number": N_("That is the number of one side only. What is the other?"),
    "who attacks": N_("Who attacks?"),
    "third number": N_("What is the third number? If these are territories, type them in the order you attack them."),
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
    "which variant": N_("That may be a variant."),
    "which rule": N_("That rule can be played in several ways."),
    "which rules": N_("That doesn't name all the options. Add them, or paste the battle line from the same answer."),
    "which units": N_("Which units does each side have?"),
    "which side": N_("Which side is that about?"),
    "which wave": N_("Which wave is that about? Type it behind the units of that wave."),
    "strafe": N_("When does the attacker retreat? Say after how many rounds, for example `rounds:1`."),
    "which army": N_("Which army does each wave fight?"),
    "a battle beside another question": N_("That is more than one question. Ask one at a time."),
    "a chance beside a battle": N_("Do you want the odds, or the armies for this chance?"),
    "need against how many": N_("How many armies are on the other side?"),
    "how much money": N_("How much money is there? For example `/need 24 ipc vs 5 inf`."),
    "money beside a battle": N_("What is the money for? `/need 24 ipc vs 5 inf` says what it buys best."),
    "buy against what": N_("Against which units? For example `/need 24 ipc vs 5 inf`."),
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
    WHERE_STAND: N_("Where do these armies stay?"),
    "too long": N_("That is too long for a battle."),
}
"""The sentences that ask back, by the reasons of `NotClearError`."""
UNKNOWN = "what is "
"""How the reason begins where a word is not known."""


def sentence_for(why: str) -> Translation:
    """Return the sentence that asks for what is missing; a reason that the notation gives is one already."""
    if why.startswith(UNKNOWN):
        return _("I can't tell what `{word}` means here.", word=why.removeprefix(UNKNOWN).replace("`", "'"))
    return _(SENTENCES.get(why, why) or N_("I don't understand that."))


def ask_who_attacks(line: str) -> Translation:
    """Ask whom somebody wants to hold off after a turn; `line` is an example."""
    return _("Who attacks after the turn, or how many must stand then? Type it like this: `{line}`.", line=line)


def show_counter(line: str) -> Translation:
    """Say how a turn is typed after which an enemy attacks; `line` is such a turn."""
    return _("If you want to hold it after the turn, type it like this: `{line}`.", line=line)


BEHIND_ONE = range(11, 100)
"""The numbers of which nobody knows what they mean in words behind "one": "one twenty" may be 120."""
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
    if vague.word.text != "more" or (vague.before.table != "number" and vague.before.value != "1"):
        return False
    if vague.after.table in OF_UNITS:
        return True
    raid = any(question.startswith("bombing") for question in vague.asked)
    return raid or has_role(vague.tags, "through", "row", "attack through")


_HARMLESS: Mapping[str, Callable[[Vague], bool]] = {
    "at_least": lambda it: "chance" in (it.before.table, it.after.table),
    "another": lambda it: it.before.is_role("then", "and", "against", "onto") and it.after.table == "number",
    **dict.fromkeys(("base", "escort"), lambda it: any(question.startswith("bombing") for question in it.asked)),
    "rules": lambda it: has_table(it.tags, "options", "variants"),
    "choice": lambda it: bool(it.asked & {*OF_PLANS, "bombing", "table"}),
    "later": lambda it: bool(it.asked & OF_PLANS) or has_role(it.tags, "counter", *OR),
    "approximate": lambda it: "table" in it.asked or it.after.table != "number",
    **dict.fromkeys(("vague", "apart", "capital", "bombards", "support", "factory", "half", "double"), _counts_more),
}
"""When words that may make a difference make none, by their roles."""


def check_words(tags: Sequence[Tag]) -> None:
    """Raise NotClearError if a word is not known, or may make a difference that nobody can tell."""
    if unclear := unclear_words(tags):
        first = unclear[0]
        if first.table in OPEN:
            about = [] if has_table(tags, *OF_ARMIES) else [f"/help {key}" for key in first.value.split()]
            raise NotClearError("which variant", *about)  # "Castle Risk" alone
        if leaves_options_open(first):
            raise NotClearError("which dice" if "{d}" in first.value else "which rule")
        raise NotClearError(f"{UNKNOWN}{first.text}")


def unclear_words(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Return the words that are not known, or may make a difference that nobody can tell."""
    return [tag for index, tag in enumerate(tags) if _is_unclear(tags, index)]


def says_nothing(tags: Sequence[Tag]) -> bool:
    """Tell whether words beside dice say nothing that could change these: "what happens?"."""
    return not unclear_words(tags) and all(tag.means_nothing or tag.table in ("sign", "roles") for tag in tags)


def _is_unclear(tags: Sequence[Tag], index: int) -> bool:
    tag, before, after = tags[index], tag_at(tags, index - 1), first_meaning(tags[index + 1 :])
    asked = {*values_of(tags, "questions")}
    return (
        tag.table in ("unknown", *OPEN)
        or leaves_options_open(tag)
        or (
            tag.is_role(*_HARMLESS)
            and not _HARMLESS[tag.value](Vague(tag, before, tag_at(tags, index + 1), tags, asked))
        )
        or (tag.table == "outlooks" and not OF_PLANS.isdisjoint(asked - _with_ends(tags)))
        or (tag.table == "sign" and any(letter.isdecimal() for letter in tag.text))
        # "he has one": an army named before
        or (tag.is_one and before.is_role("have") and after.table in ("", "sign"))
    )


def _with_ends(tags: Sequence[Tag]) -> Set[str]:
    """Return the questions that may be about an end: with units no need is."""
    return {"compare"} if has_table(tags, *OF_UNITS) else {"compare", "need"}


def no_number_in(tokens: Sequence[Token], tags: Sequence[Tag], of: Set[str]) -> str:
    """Return what looks like part of a number and can be none: "-5", "15% of 80", the word in "no 13"; "" else.

    Args:
        tokens: The words of a phrase.
        tags: Their tags.
        of: The words before the whole of which a number is a part.
    """
    said = {index for tag in tags_of(tags, "options") for index in range(tag.start, tag.end)}
    for index, (sign, number) in enumerate(pairwise(tokens)):
        negative = sign.text == "-" and not sign.glued and number.number is not None and number.glued
        if negative and index not in said:
            return f"-{number.text}"
    for before, word, count in zip([NOTHING, *tags], tags, tags[1:], strict=False):
        if count.table == "number" and _takes_from(before, word, count, of):
            return f"{before.text} {word.text} {count.text}" if before.table == "chance" else word.text
    return ""


def _takes_from(before: Tag, word: Tag, count: Tag, of: Set[str]) -> bool:
    """Tell whether a word in front of a number makes another one of it, or none."""
    joined = word.value == "1" and count.text.isalpha() and count.numbers[0] in BEHIND_ONE
    nothing = (word.value == "0" or joined) and word.end == count.start and not word.text.isdecimal()
    return nothing or (before.table == "chance" and word.text in of)


MOST_REPAIRS = 16
"""The most repairs that are tried: each takes the time of reading a phrase."""


MOST_NUMBERS = 5
"""The most numbers of which each is left out once."""


class Repaired(NamedTuple):
    """A phrase after a repair: its tags, and the words that it has no more and that may matter."""

    tags: Sequence[Tag]
    without: str = ""


def repair(tags: Sequence[Tag]) -> Iterator[Repaired]:
    """Yield a phrase without the words that nobody knows, then after each repair besides, the likeliest first."""
    unclear = unclear_words(tags)
    base = _leave_out(tags, unclear)
    yield from map(Repaired, with_each_choice(tags))
    if unclear:
        yield base
    for change in REPAIRS.values():
        for repaired in change(base.tags):
            yield Repaired(repaired.tags, " ".join(filter(None, (base.without, repaired.without))))


def _leave_out(tags: Sequence[Tag], words: Sequence[Tag]) -> Repaired:
    """Let words mean nothing."""
    left = {id(word) for word in words}
    changed = [tag.left_out if id(tag) in left else tag for tag in tags]
    return Repaired(changed, " ".join(dict.fromkeys(word.text for word in words)))


def _each(*tables: str) -> Callable[[Sequence[Tag]], Iterator[Repaired]]:
    """Return a repair that leaves out all words of these tables, and then, if there are more, each of them."""

    def change(tags: Sequence[Tag]) -> Iterator[Repaired]:
        words = tags_of(tags, *tables)
        if words:
            yield _leave_out(tags, words)
        if len(words) > 1:
            yield from (_leave_out(tags, [word]) for word in words)

    return change


def _questions(tags: Sequence[Tag]) -> Iterator[Repaired]:
    """Yield the battle of a phrase, without what it asks; the numbers of the question count."""
    asked = tags_of(tags, "questions")
    if asked and not any(tag.numbers for tag in asked):
        yield Repaired(_leave_out(tags, asked).tags)


def _sentences(tags: Sequence[Tag]) -> Iterator[Repaired]:
    """Yield each sentence with two armies, without the numbers of the others."""
    sentences = [list(part) for ends, part in groupby(tags, lambda tag: tag.text in ENDS) if not ends]
    for sentence in reversed(sentences):
        if len(sentences) > 1 and len(tags_of(sentence, *OF_ARMIES)) > 1:
            rest = [
                tag for tag in tags if tag not in sentence and tag.table in (*OF_ARMIES, "chance", "die", "options")
            ]
            yield Repaired(sentence, " ".join(tag.text for tag in rest))


def _numbers(tags: Sequence[Tag]) -> Iterator[Repaired]:
    """Yield a phrase without one of three or more numbers of armies; those beside a word such as "against" last."""
    pairs = pairwise([*tags, NOTHING])
    numbers = [tag for tag, after in pairs if tag.table == "number" and after.table not in OF_UNITS]
    if 2 < len(numbers) <= MOST_NUMBERS:
        parting = [tag.start for tag in tags if tag.is_role("against", "onto", "attack")] or [numbers[-1].end]
        far = sorted(numbers, key=lambda number: -min(abs(number.start - place) for place in parting))
        yield from (_leave_out(tags, [number]) for number in far)


def _order(tags: Sequence[Tag]) -> Iterator[Repaired]:
    """Yield the two numbers of a phrase as a battle, in both orders."""
    numbers = tags_of(tags, "number") if not has_role(tags, "against", "onto") else []
    if len(numbers) == 2 and not has_table(tags, *OF_UNITS, "die", "chance", "questions"):
        rest = tags_of(tags, "options", "variants")
        yield from (Repaired([*pair, *rest]) for pair in (numbers, numbers[::-1]))


REPAIRS: Mapping[str, Callable[[Sequence[Tag]], Iterator[Repaired]]] = {
    "leave out the question: is 12 vs 9 the best?": _questions,
    "leave out the chance: my buddy says 70% for 15 vs 12": _each("chance"),
    "leave out all but a sentence: I won 2 games. Now 18 vs 14": _sentences,
    "leave out options: 12 vs 9, strafe and hold to the end": _each("options"),
    "leave out who leads: 12 vs 9 with two leaders of mine": _each("companions"),
    "leave out variants: 12 vs 9 in 2210 with the rules of Godstorm": _each("variants"),
    "leave out a number: won my last 2 games, now it's 18 vs 14": _numbers,
    "take the numbers alone: 12 of mine, his 9": _order,
}
"""The repairs by their names, each with an example, the likeliest first."""
