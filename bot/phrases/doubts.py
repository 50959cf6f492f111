"""Finds the words that may change a battle, or that nobody knows: they are asked back."""

from collections.abc import Sequence

from bot.phrases.asking import UNKNOWN
from bot.phrases.meaning import NotClearError
from bot.phrases.tag import Tag

DOUBTFUL = ("vague", "apart", "capital", "rules", "at_least", "approximate", "later", "another", "choice")
"""The roles of words that may make a difference."""
OF_PLANS = ("need", "need defenders", "place", "compare")
"""The questions about plans, of which a phrase names the limits: "split 9 inf between ...", "I have up to 9 inf"."""
LONGEST_ARTICLE = 2
"""The most letters of the articles "a" and "an"."""


def check_words(tags: Sequence[Tag]) -> None:
    """Raise NotClearError if a word is not known, or may make a difference that nobody can tell."""
    for index, tag in enumerate(tags):
        if (
            tag.table == "unknown"
            or (tag.is_role(*DOUBTFUL) and not _counts(tags, index))
            or (tag.table == "sign" and any(letter.isdecimal() for letter in tag.text))
            or (tag.table == "noise" and tag.value == "1" and _stands_for_armies(tags, index))
        ):
            raise NotClearError(f"{UNKNOWN}{tag.text}")


def _stands_for_armies(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a word for one counts what was named before: "he has one"."""
    before = tags[index - 1 : index]
    after = next((tag for tag in tags[index + 1 :] if not tag.means_nothing), None)
    ends = after is None or after.table == "sign"
    return len(tags[index].text) > LONGEST_ARTICLE and bool(before) and before[0].is_role("have") and ends


def _counts(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a vague word does no harm, as in "2 more inf"."""
    before, after = tags[index - 1 : index], tags[index + 1 : index + 2]
    if tags[index].is_role("at_least"):
        return any(tag.table == "chance" for tag in (*before, *after))
    if tags[index].is_role("another"):
        return bool(before and after) and before[0].is_role("then", "and") and after[0].table == "number"
    if tags[index].is_role("rules"):
        return any(tag.table in ("options", "variants") for tag in tags)
    if tags[index].is_role("choice"):
        return any(tag.table == "questions" and tag.value in (*OF_PLANS, "bombing", "table") for tag in tags)
    if tags[index].is_role("later"):
        asked = {tag.value for tag in tags if tag.table == "questions"}
        return bool(asked & {*OF_PLANS}) or any(tag.is_role("counter", "or") for tag in tags)
    if tags[index].is_role("approximate"):
        asked_about = any(tag.table == "questions" and tag.value == "table" for tag in tags)
        return asked_about or not after or after[0].table != "number"
    if tags[index].text != "more" or not before or before[0].table != "number":
        return False
    if after and (after[0].table in ("units", "ships") or after[0].is_role("points")):
        return True
    raid = any(tag.table == "questions" and tag.value.startswith("bombing") for tag in tags)
    return raid or any(tag.is_role("through", "row", "attack through") for tag in tags)  # "through 5, then 5 more"
