"""The words of a phrase: tokens, typos, number words, and letters behind numbers."""

from bot.phrases.reader import understand
from bot.phrases.tag import Tag
from bot.phrases.tags import Tagger
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.words import Words
from bot.rooms import ROOMS
from tests.helpers.cases import each


def tags_of(said: str, language: str = "") -> list[Tag]:
    return list(Tagger(Words(tokens_of(normal_phrase(said)), language)).tags())


def texts(said: str) -> list[str]:
    return [token.text for token in tokens_of(normal_phrase(said))]


@each(
    [
        ("12vs9", ["12", "vs", "9"]),
        ("12 — 9", ["12", "-", "9"]),
        ("１２ ９", ["12", "9"]),
        ("He’s got 9!", ["he's", "got", "9", "!"]),
        ("12→9", ["12", "→", "9"]),
        ("a d8 at 90 %", ["a", "d8", "at", "90 %"]),
        ("ЁЖ", ["еж"]),
        ("1\u200b2 9", ["12", "9"]),
        ("1,500 vs 12.000", ["1500", "vs", "12000"]),
        ("12 000 vs 1 000 000", ["12000", "vs", "1000000"]),
        ("2k vs 1.5 k", ["2000", "vs", "1500"]),
        ("1 500 gegen 12 900", ["1500", "gegen", "12", "900"]),
        ("1 000 900", ["1000", "900"]),
        ("1 000 500 vs 900", ["1000500", "vs", "900"]),
        ("1’000’000 vs 1'500", ["1000000", "vs", "1500"]),
        ("5,4 or 12 100", ["5,4", "or", "12", "100"]),
        ("profit<-1.000", ["profit", "<", "-", "1.000"]),
    ]
)
def test_a_phrase_falls_into_pieces(said: str, pieces: list[str]) -> None:
    assert texts(said) == pieces


def test_chances_and_dice_have_their_values() -> None:
    chance, die, _sign, number = tokens_of(normal_phrase("87,5% d12 , 12"))
    assert (chance.chance, die.die, number.number) == ("87.5%", 12, 12)


@each(
    [
        ("twelve attackers against nine", "12 9"),
        ("twenty five on a dozen", "25 12"),
        ("zwölf gegen neun", "12 9"),
        ("fünfundzwanzig gegen zwoelf", "25 12"),
        ("doce contra nueve", "12 9"),
        ("veinticinco contra dieciocho", "25 18"),
        ("двенадцать против девяти", "12 9"),
        ("двадцать пять на восемнадцать", "25 18"),
    ]
)
def test_numbers_in_words_count(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line


@each(
    [
        ("12 atackers vs 9 defnders", "12 9"),
        ("3 infantery 2 tnaks vs 4 inf", "3 inf 2 arm vs 4 inf"),
        ("12 angreifr gegen 9 verteidigr", "12 9"),
        ("12 atacantes contra 9 defensroes", "12 9"),
        ("12 атакующих протв 9", "12 9"),
    ]
)
def test_typos_are_read(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line


def test_an_unknown_word_is_asked_back_by_name() -> None:
    found = understand(ROOMS, "12 vs 9 with blorgs")
    assert (found.line, found.why) == ("", "what is blorgs")


def test_tags_say_what_each_word_is() -> None:
    assert [(tag.text, tag.table, tag.value) for tag in tags_of("12 tanks please")] == [
        ("12", "number", "12"),
        ("tanks", "units", "arm"),
        ("please", "noise", ""),
    ]


def test_letters_behind_numbers_are_units_or_sides() -> None:
    assert understand(ROOMS, "12a 9d").line == "12 9"
    assert understand(ROOMS, "6i 2a 1t vs 4i").line == "6 inf 2 art 1 arm vs 4 inf"


@each([("12 gegen 9", "de"), ("12 contra 9", "es"), ("12 против 9", "ru")])
def test_the_words_tell_the_language(said: str, language: str) -> None:
    assert Words(tokens_of(normal_phrase(said)), "en").language == language


@each(
    [
        ("2d6", "", ("/dice 2",)),
        ("roll 3d6", "", ("/dice 3",)),
        ("1d20", "", ()),
        ("2d8 vs 1d6", "", ()),
        ("3d6 vs 2d6", "/dice 3 2", ()),
    ]
)
def test_dice_are_no_battle(said: str, line: str, readings: tuple[str, ...]) -> None:
    found = understand(ROOMS, said)
    assert (found.line, tuple(offer.line for offer in found.offers)) == (line, readings)
    assert found.why == ("" if line else "dice alone")


def test_the_word_no_before_a_number_is_not_zero() -> None:
    for said in ("no 13", "12 vs 9 no 13", "12 9 no 2 bombers"):
        assert understand(ROOMS, said).why == "what is no"
    assert understand(ROOMS, "12 vs 9, no bombers").line == "12 9"


def test_at_least_5_left_asks_how_likely_that_is_and_is_no_stop() -> None:
    for said in ("12 9 with at least 5 left", "12 9 want at least 5 left", "12 vs 9 at least 5 left"):
        assert understand(ROOMS, said).line == "12 9 left:5+"
    assert understand(ROOMS, "12 9 never below 5 men").line == "12 9 stop:5"


@each([("4 vs 4 icons AD A blank", "4 4 icons:AD,A,-"), ("icon dice a ad blank: 3 vs 4", "3 4 icons:AD,A,-")])
def test_a_letter_beside_a_face_is_a_face_and_no_article(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line
