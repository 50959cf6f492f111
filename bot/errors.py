"""The one kind of error that is meant for the person who asked: its text is shown to them, privately."""

RESTARTING = "I am being restarted. Ask again in a minute."


class UserError(Exception):
    """Something the person can put right; the text says what, where, and what would be right."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
