"""Reads the faces of icon dice in a phrase: "2 swords, 2 shields and 2 blanks" becomes an option of the notation."""

from collections.abc import Iterator

from bot.phrases.tag import Tag
from bot.phrases.words import Words

FILLERS = {",", "/", "&", "+"}
"""The signs between two faces."""
MOST_FACES = 12
"""The most faces of a kind on a die."""
LEAST_NAMED = 2
"""So many kinds of faces in words without a number, as in "dice with swords and shields", are no whole die."""
MOST_SIGNS = 3
"""The most signs on a face."""
LETTERS = {"a", "d"}
"""The letters for faces."""
SPELT_WORDS = {"add", "dad"}
"""Words of these letters that are no faces."""
OF_SIDES = ("attacker", "defender", "attack", "hold")
"""The roles of words that name no face before "dice": "defence dice"."""
BEFORE_FACES = ("dice", "throws", "icons", "have")
"""The roles of words between a side and its faces."""
SIDES = {"self": "a", "attacker": "a", "other": "d", "defender": "d"}
"""The letters of the sides, by the roles of words for them; "I" is the attacker unless the phrase says otherwise."""


class FaceReader:
    """Reads the faces in the words of one phrase."""

    def __init__(self, words: Words) -> None:
        """Read the faces in these words."""
        self._words, self._tokens = words, words.tokens
        self._roles = [words.meaning(index, "roles") for index in range(len(words.tokens))]
        self._faces = {word: face for known in reversed(words.languages) for word, face in known.faces.items()}
        self._fillers = {word for known in words.languages for word in known.face_fillers}

    def tags(self) -> Iterator[Tag]:
        """Yield the tags of the dice whose faces the phrase names."""
        indices = range(len(self._tokens))
        if not any(map(self._words.may_be_icons, indices)) and not self._spells():
            return
        index = 0
        while index < len(self._tokens):
            faces, end = self._die_at(index)
            if faces:
                yield self._tag(index, end, faces)
            index = end if faces else index + 1

    def _spells(self) -> bool:
        """Tell whether three words in a row are letters for faces: "my dice are A A D", "mine AA,A,D,-"."""
        words = [token.text for token in self._tokens if token.text not in FILLERS]
        spelt = [(set(word) <= LETTERS and word not in SPELT_WORDS) or word == "-" for word in words]
        return any(all(three) for three in zip(spelt, spelt[1:], spelt[2:], strict=False))

    def _tag(self, begin: int, end: int, faces: list[str]) -> Tag:
        """Return the tag of a die, with the words for its side before it: "attacker dice: A A D"."""
        start = begin
        while start and (
            self._tokens[start - 1].text == ":"
            or self._roles[start - 1] in (*SIDES, *BEFORE_FACES)
            or self._words.may_be_icons(start - 1)
        ):
            start -= 1
        before = self._roles[min(start, max(begin - 2, 0)) : begin]
        side = next((SIDES[role] for role in before if role in SIDES), "")
        text = " ".join(token.text for token in self._tokens[start:end])
        return Tag("options", f"{side}icons:{','.join(faces)}", start, end, text=text)

    def _die_at(self, start: int) -> tuple[list[str], int]:
        """Return the faces of the die whose first face is at a token, and their end; none if there are not two."""
        faces: list[str] = []
        named = 0
        index = end = start
        while index < len(self._tokens):
            if read := self._side_at(index) or self._faces_at(index):
                faces += read[0]
                named += 1
                index = end = read[1]
            elif index > start and self._tokens[index].text in FILLERS | self._fillers:
                index += 1
            else:
                break
        texts = [token.text for token in self._tokens[start:end] if token.text not in FILLERS | self._fillers]
        plain = len(faces) == named == LEAST_NAMED and all(text.isalpha() and len(text) > 1 for text in texts)
        # A die with one kind of face is none: "a +2 sword".
        return (faces, end) if named > 1 and not plain and len({*faces}) > 1 else ([], start)

    def _faces_at(self, index: int) -> tuple[list[str], int] | None:
        """Return the faces of a kind, with their number if it stands there, and the index behind."""
        count, face = self._count(index), index + 1
        while face < len(self._tokens) and self._tokens[face].text in self._fillers and not self._face(face):
            face += 1  # "2 single attacks"
        counted = self._face(face) if count and count <= MOST_FACES else None
        if count and counted:
            return [counted[0]] * count, counted[1]
        single = None if self._names_side(index) else self._face(index)
        return ([single[0]], single[1]) if single else None

    def _side_at(self, index: int) -> tuple[list[str], int] | None:
        """Return the faces of sides that are counted, and the index behind: "two sides with a sword"."""
        sides, link = self._words.numbers[index], index + 1
        while link < len(self._tokens) and self._tokens[link].text in self._fillers and self._roles[link] != "with":
            link += 1
        if not sides or sides > MOST_FACES or self._roles[link : link + 1] not in (["with"], ["have"]):
            return None
        count = (self._words.numbers[link + 1 : link + 2] or [None])[0]
        face = self._single_face(link + (1 if count is None else 2))
        if not face or (count or 1) > MOST_SIGNS or face[0] not in ("A", "D"):
            return None
        return [face[0] * (count or 1)] * sides, face[1]

    def _names_side(self, index: int) -> bool:
        """Tell whether a token names a side's dice, and no face."""
        return self._roles[index] in OF_SIDES and self._roles[index + 1 : index + 2] == ["dice"]

    def _count(self, index: int) -> int | None:
        """Return the number of faces that a token counts; a single letter is a face."""
        text = self._tokens[index].text
        letter = text.isalpha() and len(text) == 1
        sides = self._tokens[index].die if text.endswith("s") else None  # "2 caras vacías"
        number = self._words.numbers[index] or sides
        attacks = self._roles[index + 1 : index + 2] == ["attack"] and any(self._words.numbers[index + 2 : index + 3])
        return None if letter or attacks else number  # "2 blanks, 5 attack 4"

    def _face(self, index: int) -> tuple[str, int] | None:
        """Return the face at a token and the index after it; a plus without gaps joins two: "hit+block"."""
        face = self._single_face(index)
        if face and [token.text for token in self._tokens[face[1] : face[1] + 1]] == ["+"]:
            glued = all(token.glued for token in self._tokens[face[1] : face[1] + 2])
            other = self._single_face(face[1] + 1) if glued else None
            return ("".join(sorted(face[0] + other[0])), other[1]) if other else face
        return face

    def _single_face(self, index: int) -> tuple[str, int] | None:
        """Return the face at a token and the index after it, without what is joined to it."""
        pair = self._tokens[index : index + 2]
        if len(pair) == 2 and pair[1].glued and pair[0].text == pair[1].text and pair[0].text in self._faces:
            return self._faces[pair[0].text] * 2, index + 2  # the same sign twice without a gap is one face
        for size in (2, 1):
            text = " ".join(token.text for token in self._tokens[index : index + size])
            if text in self._faces:
                return self._faces[text], index + size
        return self._spelt_face(index) if index < len(self._tokens) else None

    def _spelt_face(self, index: int) -> tuple[str, int] | None:
        """Return the face that the letters of a token, or a dash, stand for."""
        text = self._tokens[index].text
        if len(text) == 1 and text.isalpha() and not self._is_letter_of_die(index):
            return None  # an article, as in "a blank"
        before = self._tokens[index - 1].text if index else " "
        if text == "-" and (before in (",", "/", "-") or (set(before) <= LETTERS and not self._tokens[index].glued)):
            return "-", index + 1
        return (text.upper(), index + 1) if set(text) <= LETTERS else None

    def _is_letter_of_die(self, index: int) -> bool:
        """Tell whether a single letter stands among other faces in letters, or among signs."""
        before = next((token.text for token in reversed(self._tokens[:index]) if token.text not in FILLERS), " ")
        behind = self._tokens[index + 1].text if index + 1 < len(self._tokens) else ""
        counted = self._tokens[index].text == "d" and index > 0 and self._words.numbers[index - 1] is not None
        return counted or set(before) <= LETTERS or not behind.isalpha() or set(behind) <= LETTERS
