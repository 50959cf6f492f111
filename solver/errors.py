"""The errors for battles that break a rule, and the checks that raise them.

BattleError
  TooLargeError
"""

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class BattleError(ValueError):
    """A battle breaks a rule or a limit.

    Attributes:
        field: The place of the mistake in the document, with dots: "attackers", "attack.dice", "defence.fighters".
        text: The correction or the fault as part of an English sentence, with placeholders, so that it can be
            translated.
        values: The values of the placeholders.

    Example:
        >>> BattleError("attackers", "the number must be {least} or more", least=1).sentence
        'The number must be 1 or more.'
    """

    def __init__(self, field: str, text: str, /, **values: Any) -> None:
        self.field = field
        self.text = text
        self.values = values
        super().__init__(f"{field}: {self.reason}")

    @property
    def reason(self) -> str:
        """The text with its values filled in."""
        return self.text.format_map(self.values) if self.values else self.text

    @property
    def sentence(self) -> str:
        """The reason as a whole sentence."""
        return f"{self.reason[0].upper()}{self.reason[1:]}."

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell pickle how to carry the error to another process."""
        return _rebuild_error, (type(self), self.field, self.text, self.values)

    def with_prefix(self, field: str) -> "BattleError":
        """Return the error as seen from the document that holds the field.

        Args:
            field: The name of the document in which this error's field stands; it goes in front, with a dot.
        """
        return type(self)(f"{field}.{self.field}".strip("."), self.text, **self.values)


class TooLargeError(BattleError):
    """The question takes more work or memory than is allowed. The battle itself is valid."""


@contextmanager
def explain_too_large(error: TooLargeError) -> Iterator[None]:
    """Raise another error where something within takes too much work.

    Args:
        error: The error, with a text that says what would help.

    Raises:
        TooLargeError: Something within takes too much work.
    """
    try:
        yield
    except TooLargeError:
        raise error from None


def _rebuild_error(kind: type[BattleError], field: str, text: str, values: dict[str, Any]) -> BattleError:
    return kind(field, text, **values)


def check_choice(field: str, value: object, known: Collection[str], text: str) -> None:
    """Raise BattleError unless the value is one of some names.

    Args:
        field: The field that holds the value.
        value: Any value.
        known: The names.
        text: The text of the error, with the placeholders {known} and {value}, and perhaps {name} for the field.

    Raises:
        BattleError: The value is none of them.
    """
    if value not in known:
        raise BattleError(field, text, name=field, known=", ".join(known), value=quoted(value))


class CountLimit(NamedTuple):
    """The limits of a field that holds a whole number.

    Attributes:
        field: The field.
        minimum: The smallest valid number.
        maximum: The largest valid number.
        text: The text of the error, with the placeholders {least}, {most} and {value}.
        optional: Whether the field may be None.
    """

    field: str
    minimum: int
    maximum: int
    text: str
    optional: bool = False


def check_limits(battle: object, limits: Iterable[CountLimit]) -> None:
    """Raise BattleError unless these fields of a battle, or of a part of it, are whole numbers within their limits.

    Args:
        battle: The object with the fields.
        limits: The limits of the fields.
    """
    for field, minimum, maximum, text, optional in limits:
        value = getattr(battle, field)
        if value is not None or not optional:
            check_count(field, value, minimum, maximum, text)


def check_count(field: str, value: Any, minimum: int, maximum: int, text: str) -> None:
    """Raise BattleError unless the value of a field is a whole number within limits: see `CountLimit`."""
    if type(value) is not int or not minimum <= value <= maximum:
        raise BattleError(field, text, least=minimum, most=maximum, value=quoted(value))


def check_number(field: str, value: Any, minimum: float, maximum: float, text: str) -> None:
    """Raise BattleError unless the value of a field is a number, whole or not, within limits: see `CountLimit`."""
    if type(value) not in (int, float) or not minimum <= value <= maximum:
        raise BattleError(field, text, least=minimum, most=maximum, value=quoted(value))


def check_flag(field: str, value: Any) -> None:
    """Raise BattleError unless the value of a field is true or false: see `CountLimit`."""
    if type(value) is not bool:
        raise BattleError(field, "this must be true or false, not {value}", value=quoted(value))


def quoted(value: Any) -> str:
    """Return a value as JSON for use in a sentence, cut to 40 characters.

    Args:
        value: Any value.

    Example:
        >>> quoted([1, None])
        '[1, null]'
    """
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else f"{text[:40]}…"
