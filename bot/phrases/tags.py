"""Gives each word of a phrase its tag: the longest patterns of the vocabulary first, then the words that are left."""

from collections.abc import Sequence
from dataclasses import replace

from bot.phrases.faces import find_faces
from bot.phrases.matching import Found, Matcher
from bot.phrases.options import OF_ATTACKER
from bot.phrases.spelling import SHORTEST_TYPO
from bot.phrases.tag import Tag, percent
from bot.phrases.tokens import SIDES
from bot.phrases.words import PAUSES, Words

LONG = 7
"""The fewest letters of a mistyped word that may mean nothing."""
OF_UNITS = ("aafired", "~submerge")
"""The options that begin with a unit."""
OF_SIDES = ("attacker", "defender", "attack", "hold")
"""The roles of words that name no face before "dice": "defence dice"."""
BEFORE_FACES = ("dice", "throws", "icons", "have")
"""The roles of words between a side and its faces."""
UNREADABLE = ("^", "√", "≠", "<", "~", "±", "%", "≤", "≥")
"""The signs that change a number."""


def _without_false_raids(found: Sequence[Found]) -> Sequence[Found]:
    """Leave out the points of a factory where nothing names a raid: "12 on 10, max 2 dice"."""
    raids = [one for one in found if one.pattern.value.startswith("bombing")]
    if any(not one.numbers for one in raids):
        return found
    return [one for one in found if one not in raids]


class Tagger:
    """Tags the words of one phrase."""

    def __init__(self, words: Words) -> None:
        """Tag these words."""
        self._words = words

    def tags(self) -> list[Tag]:
        """Return the tags in the order of the phrase."""
        taken: dict[int, Tag] = {}
        for tag in self._faces():
            taken.update(dict.fromkeys(range(tag.start, tag.end), tag))
        for found in sorted(_without_false_raids([*Matcher(self._words).all_found()]), key=lambda one: one.order):
            span = range(found.start, found.end)
            if not any(index in taken for index in span):
                tag = self._tag(found)
                taken.update(dict.fromkeys(span, tag))
                if label := self._label_of(found):
                    taken[found.start] = label
                    taken.update(dict.fromkeys(span[1:], replace(tag, start=found.start + 1)))
        tags: list[Tag] = []
        index = 0
        while index < len(self._words.tokens):
            tag = taken.get(index) or self._single(index)
            tags.append(tag)
            index = tag.end
        return tags

    def _faces(self) -> list[Tag]:
        """Return the tags of icon dice, whose faces the phrase names."""
        words = self._words
        roles = [words.meaning(index, "roles") for index in range(len(words.tokens))]
        if not (any(words.may_be_icons(index) for index in range(len(roles))) or ("dice" in roles and self._spells())):
            return []
        faces = {word: face for one in reversed(words.order[:2]) for word, face in one.faces.items()}
        fillers = frozenset(word for one in words.order[:2] for word in one.face_fillers)
        tags: list[Tag] = []
        behind = [*roles[1:], ""]
        sided = [role in OF_SIDES and after == "dice" for role, after in zip(roles, behind, strict=True)]
        for die in find_faces(words.tokens, faces, fillers, self._count, sided):
            sides = {"self": "a", "attacker": "a", "other": "d", "defender": "d"}
            start = die.start
            while start and (
                words.tokens[start - 1].text == ":"
                or roles[start - 1] in (*sides, *BEFORE_FACES)
                or words.may_be_icons(start - 1)
            ):
                start -= 1  # "attacker dice: A A D"
            before = roles[min(start, max(die.start - 2, 0)) : die.start]
            side = next((sides[role] for role in before if role in sides), "")
            text = " ".join(token.text for token in words.tokens[start : die.end])
            tags.append(Tag("options", f"{side}icons:{','.join(die.faces)}", start, die.end, text=text))
        return tags

    def _spells(self) -> bool:
        """Tell whether three words in a row are letters for faces: "my dice are A A D"."""
        spelt = [set(token.text) <= {"a", "d"} for token in self._words.tokens]
        return any(all(three) for three in zip(spelt, spelt[1:], spelt[2:], strict=False))

    def _count(self, index: int) -> int | None:
        """Return the number of faces that a token counts; a single letter is a face."""
        words = self._words
        letter = words.tokens[index].text.isalpha() and len(words.tokens[index].text) == 1
        return None if letter or self._attacks_number(index) else words.numbers[index]

    def _attacks_number(self, index: int) -> bool:
        """Tell whether a number attacks another: in "2 blanks, 5 attack 4" the last words are no faces."""
        words = self._words
        verb = index + 2 < len(words.tokens) and words.meaning(index + 1, "roles") == "attack"
        return verb and words.numbers[index + 2] is not None and words.meaning(index + 3, "roles") != "icons"

    def _single(self, index: int) -> Tag:
        """Return the tag of a word that is part of no pattern."""
        words = self._words
        token = words.tokens[index]
        text = token.text
        if token.chance:
            return Tag("chance", token.chance, index, index + 1, text=text)
        if token.die:
            return Tag("die", str(token.die), index, index + 1, (token.die,), text=text)
        number = words.numbers[index]
        if words.is_letter(index):
            return Tag("sign" if text == "x" else "letter", text, index, index + 1, text=text)
        following = words.tokens[index + 1] if index + 1 < len(words.tokens) else None
        if text in SIDES and following and following.glued and following.number is not None:
            return Tag("roles", SIDES[text], index, index + 1, text=text)
        if text in words.order[0].lone and words.meaning(index + 1, "roles") in ("men", "attacker", "defender"):
            return Tag("number", "1", index, index + 1, (1,), text=text)
        if not index and number == 0 and following and following.text in PAUSES:
            return Tag("noise", "", index, index + 1, text=text)  # "no, 13 against 8"
        if number == 1 and token.number is None and words.light[index]:
            return Tag("noise", "1", index, index + 1, text=text)
        if number is not None and (token.number is not None or not words.light[index]):
            case = words.case(index, index + 1)
            return Tag("number", str(number), index, index + 1, (number,), text=text, case=case)
        if text == "?" and index and words.tokens[index - 1].text in (",", "vs", "v", "against", ">", "→"):
            return Tag("unknown", text, index, index + 1, text=text)
        counted = index > 0 and words.numbers[index - 1] is not None
        if (text in UNREADABLE and (counted or text != "%")) or (
            text == "=" and index and words.tokens[index - 1].text in ("!", "<", ">")
        ):
            return Tag("unknown", text, index, index + 1, text=text)
        if not text[0].isalpha():
            return Tag("sign", text, index, index + 1, text=text)
        before = words.tokens[index - 1] if index and token.glued else None
        if before is not None and before.number is not None and len(text) == 1:
            return Tag("unknown", text, index, index + 1, text=text)  # "12k"
        if self._is_noise(index):
            value = str(number) if number is not None else ""
            return Tag("noise", value, index, index + 1, text=text)
        near = next((word for word in words.texts[index] if word != text), "")
        return Tag("unknown", near, index, index + 1, text=text)

    def _is_noise(self, index: int) -> bool:
        """Tell whether a word means nothing; a mistyped one only if it is long and can be no word that matters."""
        words = self._words
        text, known = words.tokens[index].text, words.order[:2]
        if index and (words.numbers[index - 1] or 0) > 1 and any(text in one.counted for one in known):
            return False
        if any(text in one.negations for one in known[:1]):
            return False
        near = [word for word in words.texts[index] if word != text]
        light = len(text) > SHORTEST_TYPO and any(word in one.light for one in known for word in near)
        near = near if light or len(text) >= LONG else [word for word in near if sorted(word) == sorted(text)]
        if any(words.texts[index][word] > 1 for word in near):
            return False
        return all(any(word in one.quiet for one in known) for word in near or [text])

    def _label_of(self, found: Found) -> Tag | None:
        """Return the tag of the army that an option begins with: "9 defenders roll one die"."""
        words = self._words
        start = found.start
        side = words.meaning(start, "roles") if found.pattern.table == "options" and found.end > start + 1 else ""
        counts = start > 0 and words.numbers[start - 1] is not None and words.tokens[start].text.endswith("s")
        unit = words.meaning(start, "units") if found.pattern.value in OF_UNITS else ""
        if unit and start > 0 and words.numbers[start - 1] is not None:  # "2 inf and an AA gun that has fired"
            return Tag("units", unit, start, start + 1, text=words.tokens[start].text)
        if side not in ("attacker", "defender") or not counts:
            return None
        return Tag("roles", side, start, start + 1, text=words.tokens[start].text)

    def _is_modal(self, index: int) -> bool:
        """Tell whether a word may stand between a side and what is said of it: "the attacker must keep 1"."""
        words = self._words
        return words.light[index] and words.tokens[index].text not in PAUSES and not words.meaning(index, "roles")

    def _is_part(self, index: int) -> bool:
        """Tell whether a word names armies of which some do something: "4 of them stay out"; "4 of his" are his."""
        words = self._words
        vocabulary = words.order[0]
        whole = index > 0 and words.tokens[index - 1].text in vocabulary.of
        return whole and words.tokens[index].text in vocabulary.objects

    def _tag(self, found: Found) -> Tag:
        words = self._words
        pattern = found.pattern
        gap = 2 if found.start > 1 and self._is_modal(found.start - 1) else 1
        span = range(max(found.start - gap, 0), found.end)
        objects = words.order[0].objects
        owned = [index for index in span if not self._is_part(index)]
        if pattern.value.startswith(OF_ATTACKER):  # "strafe him for 2 rounds" is said of the attacker
            owned = [index for index in owned if words.tokens[index].text not in objects]
        owners = [role for index in owned for role in words.meaning(index, "roles").split()]
        who = next((owner for owner in owners if owner in ("self", "other", "attacker", "defender")), "")
        return Tag(
            {"numbers": "number", "chances": "chance"}.get(pattern.table, pattern.table),
            percent(pattern.value, found.numbers) if pattern.table == "chances" else pattern.value,
            found.start,
            found.end,
            (int(pattern.value),) if pattern.table == "numbers" else tuple(found.numbers),
            tuple(found.slots),
            who if pattern.loose else "",
            pattern.plural,
            " ".join(token.text for token in words.tokens[found.start : found.end]),
            words.case(found.start, found.end),
        )
