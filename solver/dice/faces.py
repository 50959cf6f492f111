"""The icon die: faces with attack and defence icons."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple, Self

from solver.errors import BattleError, check_count, quoted

MOST_FACES = 60
MOST_ICONS = 12
ALL_LUCK = 100
"""The luck that dice have as they fall, in percent."""
BLANKS = ("", "-", "blank", "empty", "0")
"""The ways to write a face without icons."""


@dataclass(frozen=True, slots=True)
class Faces:
    """An icon die.

    Attributes:
        faces: The (attack icons, defence icons) of each face, 2 to 60 faces in any order; they are sorted.

    Raises:
        BattleError: There are too few or too many faces or icons.
    """

    faces: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Sort the faces and check the fields."""
        check_count("faces", len(self.faces), 2, MOST_FACES, "a die must have {least} to {most} faces, not {value}")
        for icons in (icons for face in self.faces for icons in face):
            check_count("faces", icons, 0, MOST_ICONS, "a face can show {least} to {most} icons of a kind, not {value}")
        object.__setattr__(self, "faces", tuple(sorted(self.faces, reverse=True)))

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Return the die with faces written as letters.

        Args:
            words: For each face A for each attack icon and D for each defence icon; "-" or an empty text for a blank
                face.

        Raises:
            BattleError: A face has other letters.

        Example:
            >>> Faces.of(["AAD", "D", "-"]).faces
            ((2, 1), (0, 1), (0, 0))
        """
        faces = []
        for word in words:
            icons = Counter(word.upper() if isinstance(word, str) and word.lower() not in BLANKS else "")
            if not isinstance(word, str) or icons.keys() - set("AD"):
                text = quoted(word)
                raise BattleError("faces", 'a face must be made of A and D, such as "AAD", not {value}', value=text)
            faces.append((icons["A"], icons["D"]))
        return cls(tuple(faces))

    @property
    def words(self) -> tuple[str, ...]:
        """The faces as letters; a blank one is an empty text."""
        return tuple("A" * attack + "D" * defence for attack, defence in self.faces)

    def in_lowest_terms(self) -> Self:
        """Return the smallest die with the same odds: A,A,D,D becomes A,D."""
        counts = Counter(self.faces)
        share = gcd(*counts.values())
        faces = [face for face, count in sorted(counts.items()) for _ in range(count // share)]
        return type(self)(tuple(faces if len(faces) > 1 else faces * 2))

    def kills(self, units: int, icons: int, luck: int) -> int:
        """Return how many units the dice of some units kill, before the others defend.

        With less than all luck the number that the dice show is drawn to the average, and rounded, a half up.

        Args:
            units: The number of units, each with a die.
            icons: The attack icons that their dice show.
            luck: The share of what the dice show, in percent; the rest is the average.

        Example:
            >>> Faces.of("AAA--").kills(4, 4, 50)  # halfway between 4 and 2.4
            3
        """
        faces, shown = len(self.faces), sum(attack for attack, _ in self.faces)
        parts = (ALL_LUCK - luck) * units * shown + luck * icons * faces
        whole = ALL_LUCK * faces
        return (2 * parts + whole) // (2 * whole)

    @property
    def most_icons(self) -> tuple[int, int]:
        """The most attack icons and the most defence icons on a face."""
        return max(attack for attack, _ in self.faces), max(defence for _, defence in self.faces)


class CountedFaces(NamedTuple):
    """A die with equal faces counted.

    Attributes:
        faces: Its distinct faces as (attack icons, defence icons, weight).
        total: The sum of the weights.
    """

    faces: tuple[tuple[int, int, int], ...]
    total: int
