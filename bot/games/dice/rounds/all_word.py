"""The word `all` of /dice: a fleet's dice in every round there is, rather than in one."""

from bot.notation.lexer import normal, tokens

ALL = "all"


def take_all(text: str) -> tuple[str, bool]:
    """Return a line without the word `all`, and whether it was there; in `rounds:all` it is no word of its own."""
    line = normal(text)
    found = next((token for token in tokens(line) if token.text == ALL and line[token.start : token.end] == ALL), None)
    if found is None:
        return text, False
    return f"{line[: found.start].rstrip()} {line[found.end :].lstrip()}".strip(), True
