"""How many examples a property test tries: some wherever the tests are run, many where a change is judged."""

from typing import Any

from hypothesis import settings


def register() -> None:
    """Make the two profiles known: `--hypothesis-profile=large` chooses the one with many examples, always the same."""
    # Machines are shared: how long an example takes says nothing.
    settings.register_profile("few", deadline=None, max_examples=5)
    settings.register_profile("small", deadline=None, max_examples=20)
    settings.register_profile("large", deadline=None, max_examples=50, derandomize=True)
    settings.load_profile("small")


def examples(percent: int, **more: Any) -> settings:
    """So many percent of the examples that other tests try, as each takes more or less time here."""
    usual = settings.get_profile(settings.get_current_profile_name()).max_examples
    return settings(max_examples=max(1, usual * percent // 100), **more)
