"""Lines as Russian-speaking players say them."""

from bot.phrases.canonical import canonical
from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each

LINES = {
    "нападаю двадцатью пятью на восемнадцать": "25 18",
    "10-ю на 8": "10 8",
    "на меня идут 18 армий, а у меня только 12": "18 12",
    "враг атакует мои 8 пятнадцатью": "15 8",
    "5 моих удержат 7?": "7 5",
    "защищаюсь 11, нападают 15": "15 11",
    "скока надо чтоб взять 15": "/need 15",
    "три танка и пушка на две пехоты": "3 arm 1 art vs 2 inf",
    "три подводные лодки против авианосца": "3 sub vs 1 acc",
    "12 (2 бомбардировщика) против 9, стоп при 4": "12 9 bombers:2 stop:4",
}
UNCLEAR = ("пройду я через 5, 4 и 2?", "у меня 12, сколько взять", "два-три танка на пехоту", "пехота против танков")


@each(LINES)
def test_a_russian_phrase_is_read(phrase: str) -> None:
    """A phrase in Russian means its line, whatever form its words have."""
    found = understand(ROOMS, phrase)
    assert found.line == canonical(ROOMS, LINES[phrase]), found.why


@each(UNCLEAR)
def test_an_unclear_russian_phrase_is_asked_back(phrase: str) -> None:
    """A phrase that nobody could know is never answered."""
    assert not understand(ROOMS, phrase).line
