"""Words that no rule reads: those that may qualify an army are asked about, stories and names are left out."""

import pytest

from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import check_each, each


@each(
    [
        ("12 vs 9, he has the tower", "tower"),
        ("12 vs 9 with a captain", "captain"),
        ("12 elite troops against 9", "elite"),
        ("my 12 attack 9 from the high ground", "high ground"),
        ("12 vs 9 in the mountains", "mountains"),
        ("12 vs 9 with Stormbreaker", "stormbreaker"),
        ("12 with gandalf vs 9", "gandalf"),
        ("he has a deck, 12 vs 9", "deck"),
        ("11 contra 8 pero lleva a Darth Vader", "vader"),
        ("13 на 10, и у него босс", "босс"),
        ("he has a troll. 12 vs 9", "troll"),
        ("12 inf vs 9 inf with shelling", "shelling"),
        ("12 vs 9. There is a dragon on his side", "dragon"),
        ("12 vs 9, not all of them", "not"),
        ("they ride elks, 12 vs 9", "elks"),
        ("12 gegen 9. Er verschanzt sich.", "verschanzt"),
        ("attacker wins ties cos nobody dared object. 11 on 11", "nobody"),
        ("the attacker never wins ties. 12 v 9", "never"),
        ("12 v 9, attacker wins ties because he has a dragon", "dragon"),
        ("12 v 9, attacker wins ties because of a griffin", "griffin"),
        ("ties to the red team. 12 v 10", "ties"),
    ]
)
def test_a_word_that_may_qualify_an_army_or_a_rule_is_asked_about(said: str, word: str) -> None:
    found = understand(ROOMS, said)
    assert (found.line, found.why) == ("", f"what is {word}")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            {
                "my dog ate the rulebook. 12 vs 9?": "12 9",
                "we ate popcorn and watched trolls! 12 vs 9": "12 9",
                "raining all day here\n12 vs 9": "12 9",
                "my sister keeps laughing, 12 vs 9?": "12 9",
                "watching a wizard movie with the boys lol, anyway 16 on 13": "16 13",
                "14 on 10. I'm not even mad": "14 10",
                "11 on 9. Don't tell my wife": "11 9",
                "12 на 9, брат уже празднует": "12 9",
                "My grandson attacks my 16 with his 23. He is grinning.": "23 16",
                "10 на 8. Она смеётся.": "10 8",
                "Mein Kumpel nennt sich General Rommel. 14 gegen 12?": "14 12",
                "my hamster escaped again, 12 vs 9": "12 9",
                "it's 23:45, 12 vs 9": "12 9",
                "dinner is at 8. 12 vs 9": "12 9",
                "12 vs 9 in Middelburg": "12 9",
                "12 vs 9 in the Betuwe": "12 9",
                "12 vs 9 in middelburg": "12 9",
                "2 bombers: 12 vs 9": "12 9 bombers:2",
                "landing 3 inf, 1 bb shelling, vs 2 inf": "1 bat 3 ainf vs 2 inf",
            },
            id="stories and names are left out",
        ),
        pytest.param(
            {
                "I had 20, now I have 15, he has 11": "15 11",
                "started with 18 and lost 5, he has 9": "13 9",
                "we both started with 15, I'm on 12 and he's on 9": "12 9",
                "it was 20 vs 15, now it's 14 vs 11": "14 11",
                "she's down from 14 to 8, I have 13": "13 8",
                "got 12. She got 9. She got 9": "12 9",
                "had 18 against his 10, lost 5 and he 3": "13 7",
                "he attacked my 10 with 18, he lost 5, I lost 3, odds?": "13 7",
                "it was 18 vs 10, i lost 5 and he still has 3": "13 3",
                "lost 3 last turn and he lost 5, so it's 10 me 7 him now. I attack": "10 7",
                "it was 18 vs 10, i lost 18 and he lost 3": "",
            },
            id="an army has its last count",
        ),
        pytest.param(
            {
                "12 on 8, chance i dont lose more than 4": "12 8 lost:..4",
                "12 gegen 8, Chance dass ich nie mehr als 4 verliere": "12 8 lost:..4",
                "12 on 8, odds i won't end up with at least 5 left": "12 8 left:..4",
                "12 on 8 and I wont stop at 4": "",
                "12 on 8, if he still has more than 3 left I quit": "",
                "12 on 8, if I lose more than 4 I quit": "12 8 stop:7",
            },
            id="a denied end is turned and a denied plan asked about",
        ),
        pytest.param(
            {
                "wann soll ich mit 12 gegen 9 aufhören": "/table 12 9 stop",
                "wann aufhören bei 12 gegen 9": "/table 12 9 stop",
                "when to stop with 12 against 9": "/table 12 9 stop",
                "cuándo debo parar con 12 contra 9": "/table 12 9 stop",
                "когда мне с 12 против 9 остановиться": "/table 12 9 stop",
                "wann soll ich bei 12 gegen 9 aufhören, ich hab 2 bomber": "",
                "what are the odds 12 v 9 and i dont lose more than 4": "12 9 lost:..4",
            },
            id="words for a stop or for losses ask about a battle",
        ),
    ],
)
def test_what_is_said_beside_a_battle_is_read_with_it(lines: dict[str, str]) -> None:
    def check(said: str, line: str) -> None:
        assert understand(ROOMS, said).line == line

    check_each(lines.items(), check)


@each(
    [
        ("finn is 14 and i am 16", "14 16"),
        ("yo tengo 15 años y mi abuelo 72", "15 72"),
        ("wir haben 3 zu 1 gewonnen", "3 1"),
        ("15 vs 12 minus 3", "15 12"),
    ]
)
def test_numbers_that_may_be_no_armies_are_asked_about(said: str, line: str) -> None:
    meant = understand(ROOMS, said)
    assert (meant.line, line in [offer.line for offer in meant.offers]) == ("", True)


def test_what_is_left_at_the_end_changes_a_question_for_armies() -> None:
    assert understand(ROOMS, "how many do i need to beat 9 with at least 5 left").line == "/need 9 left:5+"
    for said in (
        "how many do I need against 5 inf to have 2 fighters left",
        "сколько нужно против 5 пехоты чтобы осталось 2 истребителя",
    ):
        assert not understand(ROOMS, said).line
    held = understand(ROOMS, "what should i bring to beat 5 inf, with at least 2 fighters left")
    assert held.why == "what is at least 2 fighters left"
