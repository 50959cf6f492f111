"""How many examples a property test tries: some, always the same, in the usual run; many others in a whole run."""

from typing import Any

from hypothesis import settings


def register() -> None:
    """Make the profiles known: `--hypothesis-profile=large` chooses the one with many examples, each time others."""
    # Machines are shared: how long an example takes says nothing.
    settings.register_profile("few", deadline=None, max_examples=5, derandomize=True)
    settings.register_profile("small", deadline=None, max_examples=20, derandomize=True)
    settings.register_profile("large", deadline=None, max_examples=100, print_blob=True)
    settings.load_profile("small")


def examples(percent: int, **more: Any) -> settings:
    """So many percent of the examples that other tests try, as each takes more or less time here."""
    usual = settings.get_profile(settings.get_current_profile_name()).max_examples
    return settings(max_examples=max(1, usual * percent // 100), **more)
