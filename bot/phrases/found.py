"""A place in a phrase where a pattern of the vocabulary fits, and which of two such places is the better."""

from dataclasses import dataclass, field

from bot.phrases.vocabulary import Pattern


@dataclass
class Found:
    """A place where a pattern fits; `likely` if what stands before it speaks for it."""

    pattern: Pattern
    start: int
    end: int
    skipped: int
    slots: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    rank: int = 0
    corrected: int = 0
    size: int = 0
    likely: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The best first."""
        sided = self.pattern.value in ("attacker", "defender")
        quiet = self.pattern.table == "names"
        return (
            -self.size,
            self.pattern.loose,
            3 * self.rank + self.corrected + self.skipped,
            not self.likely,
            not sided,
            quiet,
            self.start - self.end,
            self.start,
        )
