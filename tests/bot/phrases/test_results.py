"""How a battle ended, in words: what `/luck` is asked, and what is no end of a battle."""

import pytest

from bot.phrases.canonical import canonical
from bot.phrases.reader import meaning_document
from bot.rooms import ROOMS
from tests.helpers.cases import each

pytestmark = pytest.mark.texts

SAID = [
    ("attacked 18 into 5 and got wiped, he had 3 left!!! how unlucky is that", "/luck 18 5 lost 3"),
    ("I attacked 20 against 3 and lost everything, he still had 2", "/luck 20 3 lost 2"),
    ("lost 12 v 9. how unlucky?", "/luck 12 9 lost"),
    ("he attacked my 9 with 12 and won with 5 left, was he lucky", "/luck 12 9 won 5"),
    ("he hit my 6 with 14 and i won w 2 left, how lucky", "/luck 14 6 lost 2"),
    ("lost 5 inf 2 arm to 3 inf, 2 inf left", "/luck 5 inf 2 arm vs 3 inf lost 2 inf"),
    ("12 auf 12 angegriffen und mit 8 übrig gewonnen, wie viel glück war das", "/luck 12 12 won 8"),
    ("hab 9 gegen 15 verteidigt und gewonnen, 3 übrig. wie viel glück war das", "/luck 15 9 lost 3"),
    ("er hat mich mit 14 gegen meine 10 angegriffen und verloren, ich hatte noch 7. glück?", "/luck 14 10 lost 7"),
    ("ataque con 14 a 3 y perdi todo, le quedo 1. q tan mala suerte es", "/luck 14 3 lost 1"),
    ("defendi 8 contra 13 y gane con 5 q me quedaron, fue suerte?", "/luck 13 8 lost 5"),
    ("me atacó con 12 a mis 9 y ganó con 6, mala suerte?", "/luck 12 9 won 6"),
    ("напал 15 на 4 и всё слил, у него 2 осталось. насколько это невезение", "/luck 15 4 lost 2"),
    ("атаковал 20 на 3 и проиграл, у него остался 1. насколько мне не повезло", "/luck 20 3 lost 1"),
    ("won with 4 left, 16 vs 7", "/luck 16 7 won 4"),
    ("mit 4 übrig gewonnen, 16 gegen 7", "/luck 16 7 won 4"),
    ("how unlucky do you have to be to lose 20 vs 3", "/luck 20 3 lost"),
    ("wie viel pech muss man haben um 20 gegen 3 zu verlieren", "/luck 20 3 lost"),
    ("cuánta mala suerte hay que tener para perder 20 contra 3", "/luck 20 3 lost"),
    ("сколько невезения нужно, чтобы проиграть 20 против 3", "/luck 20 3 lost"),
    ("how lucky do i have to be to beat 9 with 3", "/luck 3 9 won"),
    ("is my luck going to hold, 12 v 9", "12 9"),
    ("he won with 4 left, 16 vs 7", ""),
    ("lost 4 of my 16 already. He still has 9", "12 9"),
    ("12 v 9. dice hate me", "12 9"),
    ("12 vs 9, lost 4, how unlucky", ""),
    ("me ganó 9 contra 14 y le quedaron 3, qué mala suerte", ""),
    ("12 v 9 and i won, he had 4 left, how lucky", ""),
    ("12 v 9 and he won with 14 left, how lucky", ""),
    ("lost 3 games in a row. 12 v 9, am i unlucky", ""),
]


@each(SAID)
def test_the_end_of_a_battle_in_words_asks_how_lucky_it_was(say: str, meant: str) -> None:
    line = str(meaning_document(ROOMS, say).get("line", ""))
    assert line == (meant and canonical(ROOMS, meant))
