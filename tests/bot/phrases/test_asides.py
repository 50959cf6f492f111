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
        ("12 vs 9 in Middelburg", "12 9"),
        ("12 vs 9 in the Betuwe", "12 9"),
        ("12 vs 9 in middelburg", "12 9"),
        ("landing 3 inf, 1 bb shelling, vs 2 inf", "1 bat 3 ainf vs 2 inf"),
    ]
)
def test_stories_and_names_are_left_out(said: str, line: str) -> None:
    assert understand(ROOMS, said).line == line
