"""What the bot did that Discord forbids: collected, and told at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Violation:
    """`request` is the request line or gateway frame at fault, `reason` what was wrong with it."""

    request: str
    reason: str

    def __str__(self) -> str:
        return f"{self.request} -> {self.reason}"


class Violations(list[Violation]):
    """A list that a test may read, clear, or expect something of."""

    def add(self, request: str, reason: str) -> None:
        self.append(Violation(request, reason))

    @contextmanager
    def expected(self, part: str, times: int = 1) -> Iterator[None]:
        """In this block exactly `times` violations containing `part` must come; they are taken out."""
        before = len(self)
        yield
        found = [violation for violation in self[before:] if part in str(violation)]
        if len(found) != times:
            seen = self.told(self[before:]) or "none"
            raise AssertionError(f"expected {times} violation(s) with {part!r}, saw: {seen}")
        self[before:] = [violation for violation in self[before:] if violation not in found]

    @staticmethod
    def told(violations: list[Violation]) -> str:
        return "\n".join(f"  {violation}" for violation in violations)

    def check(self) -> None:
        """Raise if anything is left."""
        if self:
            raise AssertionError(f"the bot broke Discord's rules {len(self)} time(s):\n{self.told(self)}")
