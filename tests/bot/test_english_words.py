"""Ordinary words, names and chat spellings of English-speaking players."""

from bot.phrases.canonical import canonical
from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each

LINES = {
    "ngl fr tho u think 12 beats 9 lmk pls": "12 9",
    "I attack Eldoria with 12, he has 9 there": "12 9",
    "12 vs 9 in Zubrowka": "12 9",
    "Kzzyntor: 12 vs 9": "12 9",
    "bob's 12 against anna's 9": "12 9",
    "moscow's 9 get hit by germany's 12": "12 9",
    "my sister has 9, I attack with 12": "12 9",
}
UNCLEAR = (
    *("12 Gunners vs 9 Pikemen", "12 attack 9 phalanxes", "12 vs 9 with replacement", "12 vs 9 and bought another"),
    *("12 vs 9 Gradenko style", "12 vs 9, 3 games", "my 2 cousins and 3 friends are coming over"),
    *("dinner at 6, game at 8", "the score is 3 to 2", "I get 7 armies this turn, he gets 5", "chapter 12 page 9"),
)


@each(LINES)
def test_small_talk_and_names_change_no_battle(phrase: str) -> None:
    """A phrase with ordinary words and unknown places means its line."""
    found = understand(ROOMS, phrase)
    assert found.line == canonical(ROOMS, LINES[phrase]), found.why


@each(UNCLEAR)
def test_unclear_english_phrases_are_asked_back(phrase: str) -> None:
    """A word that may change a battle, and numbers that count no armies, are never answered."""
    assert not understand(ROOMS, phrase).line
