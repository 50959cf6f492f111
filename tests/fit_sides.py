"""Fits config/sides.toml to the labelled phrases: how much each rule about who attacks counts, and when to ask back.

Run `python -m tests.fit_sides` after new rules or phrases. It prints what cross-validation says, and writes the table.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bot.phrases import dice_lines, unit_lines
from bot.phrases.canonical import canonical_or_none
from bot.phrases.meaning import Evidence, weights
from bot.phrases.reader import meaning_document
from bot.phrases.sides import SURE, Sides, judge
from bot.rooms import ROOMS
from bot.settings import CONFIG

DATA = Path(__file__).parent / "data"
FILES = "phrases.jsonl", "phrases_own.jsonl", "phrases_tricky.jsonl", "phrases_conquest.jsonl"
FOLDS = 10
STRENGTH, PRIOR, ORDER = 0.1, 9.0, 3.0
"""How strongly a weight is drawn to the prior, and how large that is, with the sign that the rule has in the table.

The prior of the order of the armies is smaller, so that a rule that few phrases tell of can say more than the order.
"""
MOST_STEPS = 100
HEADER = """# How much each rule about who attacks counts; below zero, the army defends. tests/fit_sides.py writes this.
# The sum decides; where it is nearer to zero than bot.phrases.sides.SURE, the bot asks back.
[weights]"""
Array = NDArray[np.float64]


class Example(NamedTuple):
    """A labelled phrase: the evidence in it, and whether its first army attacks."""

    say: str
    reasons: tuple[Evidence, ...]
    first_attacks: bool


def examples() -> Iterator[Example]:
    """Yield the labelled phrases in which it matters which army attacks, with the answer."""
    for file in FILES:
        for line in (DATA / file).read_text("utf-8").splitlines():
            phrase = json.loads(line)
            meant = canonical_or_none(ROOMS, phrase["means"] or "")
            if meant:
                yield from _example(phrase["say"], meant)


def _example(say: str, meant: str) -> Iterator[Example]:
    """Yield a phrase if its line has the right meaning with exactly one answer."""
    right: dict[bool, list[tuple[Evidence, ...]]] = {}
    for answer in (True, False):
        seen: list[tuple[Evidence, ...]] = []

        def answered(*arguments: object, answer: bool = answer, seen: list[tuple[Evidence, ...]] = seen) -> Sides:
            sides = judge(*arguments)  # type: ignore[arg-type]
            seen.append(sides.reasons)
            return Sides(answer, False, sides.reasons)

        with patch.object(dice_lines, "judge", answered), patch.object(unit_lines, "judge", answered):
            if meaning_document(ROOMS, say).get("line") == meant:
                right[answer] = seen
        if not seen:
            return  # which army attacks does not matter
    if len(right) == 1:
        ((answer, seen),) = right.items()
        if len({*seen}) == 1:
            yield Example(say, seen[0], answer)


def table(phrases: Sequence[Example], rules: Sequence[str]) -> tuple[Array, Array]:
    """Return how often each rule says that the first army attacks, a row for each phrase, and the answers, 1 or 0."""
    place = {rule: index for index, rule in enumerate(rules)}
    seen = np.zeros((len(phrases), len(rules)))
    for row, phrase in enumerate(phrases):
        for reason in phrase.reasons:
            seen[row, place[reason.rule]] += (1 if reason.army == 0 else -1) * (-1 if reason.of_enemy else 1)
    return seen, np.array([phrase.first_attacks for phrase in phrases], float)


def fit(seen: Array, answers: Array, prior: Array) -> Array:
    """Return the weights of a logistic regression, drawn to the `prior` where few phrases tell."""
    weights = prior.copy()
    for _step in range(MOST_STEPS):
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (chance - answers) + STRENGTH * (weights - prior)
        curve = (seen.T * (chance * (1 - chance))) @ seen + STRENGTH * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step / max(1, abs(step).max())
        if abs(step).max() < 1e-6:
            break
    return weights


def scores(seen: Array, answers: Array, prior: Array) -> Array:
    """Return for each phrase the score that the weights fitted to the other phrases give it."""
    result = np.zeros(len(answers))
    fold = np.random.default_rng(1).permutation(len(answers)) % FOLDS
    for number in range(FOLDS):
        result[fold == number] = seen[fold == number] @ fit(seen[fold != number], answers[fold != number], prior)
    return result


def write(weights: Mapping[str, float], phrases: Sequence[Example]) -> str:
    """Return the table as TOML: the rules with their weights, and the shortest phrase of each."""
    said: dict[str, str] = {}
    for phrase in sorted(phrases, key=lambda phrase: len(phrase.say)):
        for reason in phrase.reasons:
            said.setdefault(reason.rule, phrase.say)
    rows = [f"{json.dumps(rule)} = {round(weight, 1)}" for rule, weight in weights.items()]
    shown = [f"{json.dumps(rule)} = {json.dumps(said[rule], ensure_ascii=False)}" for rule in weights if rule in said]
    return "\n".join([HEADER, *rows, "", "[examples]", *shown, ""])


def main() -> None:
    """Fit the weights, print what cross-validation says of them, and write the table."""
    phrases = list(examples())
    rules = list(weights())
    prior = np.array([ORDER if rule == "order" else PRIOR * np.sign(weights()[rule]) for rule in rules])
    seen, answers = table(phrases, rules)
    score = scores(seen, answers, prior)
    wrong = (score >= 0) != (answers == 1)
    print(f"{len(phrases)} phrases, first army attacks in {answers.mean():.1%}; right {1 - wrong.mean():.2%}")
    for sure in (1, 2, 3, 4):
        print(f"sure from {sure}: {(wrong & (abs(score) >= sure)).sum()} wrong, {(abs(score) < sure).sum()} asked back")
    fitted = fit(seen, answers, prior)
    read = [phrase for phrase, total in zip(phrases, seen @ fitted, strict=True) if abs(total) > SURE]
    (CONFIG / "sides.toml").write_text(write(dict(zip(rules, map(float, fitted), strict=True)), read), "utf-8")


if __name__ == "__main__":
    main()
