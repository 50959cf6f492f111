"""Words that no rule reads: those that may qualify an army are asked about, stories and names are left out."""

from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each


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
        ("he has a troll. 12 vs 9", "troll"),
        ("12 inf vs 9 inf with shelling", "shelling"),
        ("12 vs 9. There is a dragon on his side", "dragon"),
        ("12 vs 9, not all of them", "not"),
        ("they ride elks, 12 vs 9", "elks"),
        ("12 gegen 9. Er verschanzt sich.", "verschanzt"),
    ]
)
def test_a_word_that_may_qualify_an_army_is_asked_about(said: str, word: str) -> None:
    found = understand(ROOMS, said)
    assert (found.line, found.why) == ("", f"what is {word}")


@each(
    [
        ("my dog ate the rulebook. 12 vs 9?", "12 9"),
        ("we ate popcorn and watched trolls! 12 vs 9", "12 9"),
        ("raining all day here\n12 vs 9", "12 9"),
        ("my sister keeps laughing, 12 vs 9?", "12 9"),
        ("watching a wizard movie with the boys lol, anyway 16 on 13", "16 13"),
        ("14 on 10. I'm not even mad", "14 10"),
        ("11 on 9. Don't tell my wife", "11 9"),
        ("12 на 9, брат уже празднует", "12 9"),
        ("My grandson attacks my 16 with his 23. He is grinning.", "23 16"),
        ("10 на 8. Она смеётся.", "10 8"),
        ("Mein Kumpel nennt sich General Rommel. 14 gegen 12?", "14 12"),
        ("my hamster escaped again, 12 vs 9", "12 9"),
        ("12 vs 9 in Middelburg", "12 9"),
        ("12 vs 9 in the Betuwe", "12 9"),
        ("12 vs 9 in middelburg", "12 9"),
        ("landing 3 inf, 1 bb shelling, vs 2 inf", "1 bat 3 ainf vs 2 inf"),
    ]
)
def test_stories_and_names_are_left_out(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line
