"""Reads how a battle ended: "attacked 18 into 5 and got wiped, he had 3 left" is `/luck 18 5 lost 3`."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from bot.phrases.asking import check_words
from bot.phrases.commands.needs import DEFENCE
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import NotClearError
from bot.phrases.options import OTHER
from bot.phrases.pieces import SIGNS, SUBJECTS, pieces_of_armies, stacks_of
from bot.phrases.tag import BATTLE, OF_ARMIES, OF_UNITS, OWNERS, Tag, has_role, has_table, tag_at, tags_of, values_of
from bot.phrases.vocabulary import Vocabulary

TABLE = "results"
"""The table of words that say how a battle ended."""
ENDS = ("won", "lost")
ENDED = (*ENDS, "they won", "they lost")
KINDS = (*ENDED, "kept", "luck")
"""The results that words tell, of the player who speaks or of another, by their names among the asides."""
ENEMY = {"self": "other", "other": "self"} | OTHER
SURE = 2
"""Of a word for the end, one about luck and one for those who are left, so many make it sure that a battle is over."""
SURVIVORS = "left:1"
"""Stands in a line for the survivors, beside the option's letter for their side."""


def mark_results(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags with the words marked that say how a battle ended; [] if there are none, or nobody asks about luck.

    The number of "noch 2 übrig" is then that of an army, and no chance.
    """
    kinds = [next((kind for kind in KINDS if _says(tag, known.asides[f"result {kind}"])), "") for tag in tags]
    for index, tag in enumerate(tags[:-1]):
        if kinds[index + 1] == "luck" and tag.text in known.negations:
            kinds[index] = "luck"  # "мне не повезло"
    ended = not {*kinds}.isdisjoint(ENDED)
    if sum((ended, "luck" in kinds, "kept" in kinds)) < SURE:
        return []
    marked: list[Tag] = []
    for tag, kind in zip(tags, kinds, strict=True):
        who = "other" if kind.startswith("they") else ""
        result = replace(tag, table=TABLE, value=kind.split()[-1] if kind else "kept", who=who, text=TABLE)
        if ended and tag.table == "outlooks" and tag.numbers:
            marked += [replace(tag, table="number", value=str(tag.numbers[0])), result]
        else:
            marked.append(result if kind else tag)
    return marked


def _says(tag: Tag, words: Collection[str]) -> bool:
    """Tell whether a word, or one of a question or of small talk, is one of these."""
    return tag.text in words or (tag.table in ("questions", "skips") and not {*tag.text.split()}.isdisjoint(words))


def compose_result(tags: Sequence[Tag]) -> str:
    """Return the line of `/luck` for the end of a battle that marked tags say; "" if that is not clear.

    NotClearError if a phrase also asks how lucky that was.
    """
    tags = _with_end_last(tags)
    said = {*values_of(tags, TABLE)}
    armies = [index for index, tag in enumerate(tags) if tag.table in OF_ARMIES]
    if len(armies) < BATTLE:
        return ""
    ends = [index for index in range(len(tags)) if _is_end(tags, index, armies[0])]
    try:
        head, tail = _part_survivors(tags)
        winner = _winner(tags, ends, tail)
        clear = winner and ("luck" in said or (ends and tail))
        return _write_result(head, tail, winner) if clear else ""
    except NotClearError:
        if ends and "luck" in said:
            raise
        return ""


def _with_end_last(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Return tags with a clause last that begins the phrase and says the end: "won with 4 left, 16 vs 7"."""
    clause = [*takewhile(lambda tag: tag.table != "sign", tags)]
    said, rest = {*values_of(clause, TABLE)}, tags[len(clause) + 1 :]
    names_end = "kept" in said and not said.isdisjoint(ENDS) and len(tags_of(clause, *OF_ARMIES)) == 1
    if not names_end or has_role(clause, "other") or len(tags_of(rest, *OF_ARMIES)) < BATTLE:
        return tags
    return [*rest, tags[len(clause)], *clause]


def _is_end(tags: Sequence[Tag], index: int, first: int) -> bool:
    """Tell whether a word says who won the battle, not "lost 3 games. 12 vs 9"; `first` is the place of an army."""
    tag, after = tags[index], tag_at(tags, index + 1)
    clause = [*takewhile(lambda word: word.table != "sign", tags[index:])]
    if tag.table != TABLE or tag.value not in ENDS:
        return False
    if after.text.isdecimal() and not (after.table == "number" and has_role(clause, "against", "onto", "by")):
        return False
    return index > first or first < index + len(clause)


def _part_survivors(tags: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return what a phrase says of a battle, and what it says of those who are left; nothing if it names none."""
    units = has_table(tags, *OF_UNITS)
    for index in range(len(tags) - 1, 0, -1):
        tag, head, tail = tags[index], tags[:index], tags[index + 1 :]
        joins = tag.is_role("and", "with") and (not units or tag_at(tags, index + 1).is_role(*SUBJECTS))
        parts = joins or tag.text in SIGNS or tag.value in ENDS
        if not parts or not has_table(tail, *OF_ARMIES):
            continue
        stacks = stacks_of(pieces_of_armies(tail))
        if len(tags_of(head, *OF_ARMIES)) < BATTLE or (len(stacks) > 1 and not all(stack.unit for stack in stacks)):
            break
        if tag.value in ENDS and tail[0].table == "number" and "kept" not in values_of(tail, TABLE):
            raise NotClearError("a number is left")  # "12 vs 9, lost 4"
        return head, tail
    return tags, ()


def _winner(tags: Sequence[Tag], ends: Sequence[int], tail: Sequence[Tag]) -> str:
    """Return who won, by the words for that and by whose units are left; "" if nothing says it."""
    owner = next((tag.value for tag in tail if tag.is_role(*SUBJECTS)), "")
    subjects = {index: _subject(tags, index) for index in ends}
    winners = {who if tags[index].value == "won" else ENEMY[who] for index, who in subjects.items()}
    if not winners and "kept" in values_of(tail, TABLE):
        winners = {owner}
    # "he won 9 vs 14" begins with his army
    theirs = any(who == "other" and not has_table(tags[:index], *OF_ARMIES) for index, who in subjects.items())
    if len(winners) > 1 or theirs or (owner and ENEMY[owner] in winners):
        raise NotClearError("which side")
    return next(iter(winners), "")


def _subject(tags: Sequence[Tag], index: int) -> str:
    """Return of whom a word says the end: its subject, or that of the phrase, "self" if there is none."""
    who = tags[index].who
    for tag in reversed(tags[:index] if not who else ()):
        if tag.is_role(*SUBJECTS):
            who = tag.value
        if not (tag.means_nothing or tag.is_role("have")):
            break
    numbers = [place for place, tag in enumerate(tags[:index]) if tag.table == "number"]
    subjects = (tag.value for tag in tags[: min(numbers, default=0)] if tag.is_role(*SUBJECTS))
    return who or next(subjects, "self")


def _write_result(head: Sequence[Tag], tail: Sequence[Tag], winner: str) -> str:
    """Write a battle with its end."""
    done = (TABLE, "questions")
    plain, rest = ([tag.left_out if tag.table in done else tag for tag in part] for part in (head, tail))
    check_words([*plain, *rest])
    stacks = stacks_of(pieces_of_armies(rest))
    left = "".join(f" {stack.count} {stack.unit}".rstrip() for stack in stacks)
    survivors = Tag("outlooks", SURVIVORS, 0, 0, who=_side_of(winner, plain))
    if any(tag.value.startswith("~keep") for tag in head):
        raise NotClearError("which units")  # "er hatte 1 inf übrig"
    try:
        return _as_result(compose_battle([*plain, survivors]).line, left)
    except NotClearError as error:
        raise NotClearError(error.why, *(_as_result(line, left) for line in error.readings)) from None


def _side_of(winner: str, tags: Sequence[Tag]) -> str:
    """Return the winner as a side, if the player who speaks defends: "defendí 8 contra 13 y gané"."""
    verbs = (place for place, tag in enumerate(tags) if tag.table == "roles" and DEFENCE & {*tag.value.split()})
    verb = next(verbs, None)
    owners = [tag.value for tag in tags[: verb or 0] if tag.is_role(*OWNERS)]
    defends = verb is not None and owners[-1:] != ["other"]
    return {"self": "defender", "other": "attacker"}.get(winner, winner) if defends else winner


def _as_result(line: str, left: str) -> str:
    """Write a line with the mark of the survivors as one with the end of its battle."""
    battle = line.replace(f" d{SURVIVORS}", "").replace(f" {SURVIVORS}", "")
    ours = f" {SURVIVORS}" in line
    sides = battle.replace(">", "").split()
    if left[1:].isdecimal() and int(left) > int(sides[0 if ours else -1] if sides[-1].isdecimal() else left):
        raise NotClearError("a number is left")
    return f"/luck {battle} {'won' if ours else 'lost'}{left}"
