"""Who the people in a phrase are, beside the player who asks."""

from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each


def _line(said: str) -> str:
    return understand(ROOMS, said).line


@each(
    [
        ("mein Schwager steht mit 6 in Island, ich geh mit 11 drauf", "11 6"),
        ("Moin, Oma hat 9 in Peru stehen. Ich hab 13 in Brasilien, langt das?", "13 9"),
        ("у Серёги 16, у меня 12. Пробьёт?", "16 12"),
        ("дядя вова стоит с восемью, у меня 13", "13 8"),
    ]
)
def test_a_relative_or_a_name_is_the_other_player(said: str, meant: str) -> None:
    assert _line(said) == meant


def test_a_relative_is_no_player_where_the_one_who_asks_is_not_named() -> None:
    assert not any(tag.is_role("other") for tag in understand(ROOMS, "grandma is asleep. 12 vs 9").tags)


@each(
    [
        ("ataco yo. 19. defiende pedro. 14", "19 14"),
        ("qué pasa si ataca ella? ella 12, yo 11", "12 11"),
        ("у меня 16, у него 12, нападать?", "16 12"),
    ]
)
def test_the_form_of_a_verb_says_whose_it_is(said: str, meant: str) -> None:
    assert _line(said) == meant


@each(["he attacks me with 15 and im the one attacking him with 12", "я 14, он 11, кто-то нападает"])
def test_two_attackers_or_nobody_in_particular_are_asked_about(said: str) -> None:
    found = understand(ROOMS, said)
    assert (found.line, found.why, len(found.offers)) == ("", "who attacks", 2)
