"""How far long work is, in the one line that stands in for an answer until it comes."""

from bot.languages import _, short_number, whole_number
from bot.words.numbers import unsure_percent
from solver.progress import Progress


def progress_text(progress: Progress) -> str:
    """Say how far some work is."""
    if not progress.battles:
        share = unsure_percent(min(progress.share, 1.0))
        return _("Working: {share} of the most work that I do for one answer", share=share)
    if not progress.error:
        share = unsure_percent(min(progress.share, 1.0))
        return _("Simulating: {n} battles so far, {share} of all", n=whole_number(progress.battles), share=share)
    return _(
        "Simulating: {n} battles so far, the attacker wins {chance}, ± {error} points",
        n=whole_number(progress.battles),
        chance=unsure_percent(progress.chance),
        error=short_number(100 * progress.error, 1),
    )
