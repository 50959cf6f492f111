"""Lines of garrisons: what is written is read again, and any text is read or refused with a sentence."""

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.errors import UserError
from bot.games.conquest.notation.changes import check_name, keep, read_board_line
from bot.games.conquest.notation.reading import read
from bot.games.conquest.notation.writing import (
    MAP_WORD,
    Garrisons,
    boards_of,
    read_board,
    write_board,
    write_conquest,
    write_garrisons,
)
from bot.languages import LANGUAGES, speaking
from bot.maps.map import name_of_key
from bot.maps.reading import load_maps
from bot.notation.mistakes import MatchupError
from bot.notation.reading import LONGEST_TYPED
from bot.presets import read_name
from bot.rooms import ROOMS
from solver.conquest.conquest import MOST_FREE
from tests.helpers.bot.any_line import wild
from tests.helpers.cases import each

CLASSIC = load_maps()["classic"]
OURS = {"ourgame": "map:classic 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"}
keys = st.sampled_from(sorted(CLASSIC.territories))
counts = st.integers(0, MOST_FREE)
boards = st.dictionaries(keys, counts).map(lambda found: Garrisons("classic", found))
pieces = st.sampled_from(
    ["siam", "australia", "new guinea", "3", "501", "-", "none", ",", ":", "map:classic", "ourgame"]
)
any_text = st.lists(pieces, max_size=8).map(" ".join) | wild | st.text(max_size=60)


@given(boards)
def test_written_garrisons_are_read_again(board: Garrisons) -> None:
    line = write_board(board)
    assert read_board(line) == board
    assert keep(line, {}) == line, "a file has it in this form"
    told = read_board_line(line, {})
    assert (told.change({}), told.map) == (board, CLASSIC)
    assert list(board.garrisons) == [] or line.count(",") == len(board.garrisons) - 1


def test_the_longest_line_of_garrisons_can_be_typed() -> None:
    line = write_board(Garrisons("classic", dict.fromkeys(CLASSIC.territories, MOST_FREE)))
    assert len(line) < LONGEST_TYPED


@given(boards, boards, st.sampled_from(list(LANGUAGES)))
def test_changes_of_garrisons_in_any_language_agree_with_a_slow_twin(
    before: Garrisons, changed: Garrisons, code: str
) -> None:
    """Beside a slow twin: each territory by itself."""
    with speaking(code):
        typed = ", ".join(f"{CLASSIC.territories[key].name} {count}" for key, count in changed.garrisons.items())
    after = read_board_line(typed, {}).change(before.garrisons).garrisons
    for key in CLASSIC.territories:
        assert after.get(key) == changed.garrisons.get(key, before.garrisons.get(key))


@given(boards, st.sets(keys))
def test_a_minus_removes_a_garrison(before: Garrisons, gone: set[str]) -> None:
    typed = ", ".join(f"{name_of_key(key)} -" for key in sorted(gone))
    after = read_board_line(typed, {}).change(before.garrisons).garrisons
    assert after == {key: count for key, count in before.garrisons.items() if key not in gone}


@each(
    [
        ("indonesia 4", "4 indonesia"),
        ("4 indonesia, 2 siam", "2 siam, 4 indonesia"),
        ("indonesia: 4", "4 indonesia"),
        ("indonesia = 4; siam 2", "2 siam, 4 indonesia"),
        ("australia: 3 2 1 0", "3 indonesia, 2 new guinea, 1 western australia, 0 eastern australia"),
        ("australia 3 2 1 0", "3 indonesia, 2 new guinea, 1 western australia, 0 eastern australia"),
        ("australia 2", "2 indonesia, 2 new guinea, 2 western australia, 2 eastern australia"),
        ("2 australia, indonesia 4", "4 indonesia, 2 new guinea, 2 western australia, 2 eastern australia"),
        ("indonesia 4, australia 2", "4 indonesia, 2 new guinea, 2 western australia, 2 eastern australia"),
        ("australia: 3 - 1 none", "3 indonesia, 1 western australia"),
        ("INDONESIEN 3, map: classic", "3 indonesia"),
        ("", ""),
    ]
)
def test_typed_garrisons_are_read(typed: str, told: str) -> None:
    changed = read_board_line(typed, {}).change({})
    assert write_board(changed) == f"{MAP_WORD}classic {told}".strip()


@given(any_text)
@example("map:")
@example("map:classic map:classic siam 3")
@example("ourgame")
@example(f"siam {'9' * 900}")
@example(f"siam {'0' * 900}")
def test_any_text_is_garrisons_or_an_error(text: str) -> None:
    for saved in ({}, OURS, {"ourgame": "map:gone 1 siam"}):
        try:
            told = read_board_line(text, boards_of(saved))
        except MatchupError as error:
            assert error.text  # noqa: PT017
        else:
            board = told.change({})
            assert read_board(write_board(board)) == board
        try:
            line = keep(text, saved)
        except MatchupError:
            continue
        assert line is None or read_board(line) is not None


@given(any_text)
@example("map:classic 3 siam, 4 siam")
@example("map:classic 0000003 siam")
@example("map:classic ³ siam")
def test_a_stored_line_of_garrisons_is_read_exactly_or_refused(text: str) -> None:
    board = read_board(f"{MAP_WORD}{text}")
    if board is not None:
        assert all(0 <= count <= MOST_FREE for count in board.garrisons.values())
        assert read_board(write_board(board)) == board


def test_no_name_of_a_territory_is_a_name_of_garrisons() -> None:
    """In every language, for whoever types a line reads its first word as the name of a preset."""
    for part in (*CLASSIC.territories.values(), *CLASSIC.continents.values()):
        for code in LANGUAGES:
            for name in part.all_names(code):
                with pytest.raises(UserError):
                    check_name(name.casefold().split()[0])
    for name in ("ourgame", "sunday", "game-2", "наша-игра"):
        check_name(read_name(ROOMS, name))


# What they mean in the line of a conquest --------------------------------------------------------------


def canonical(line: str, saved: Mapping[str, str]) -> str:
    return write_conquest(read(line, saved, (), "").battle)


@given(boards)
def test_garrisons_never_change_a_complete_line(board: Garrisons) -> None:
    saved = {"ourgame": write_board(board), "other": write_board(Garrisons("classic", {"siam": 9}))}
    for line in (
        "12 siam > 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia",
        "12 siam > 3 indonesia leave:2",
        "5 india, 4 siam > 3 china most",
    ):
        assert canonical(line, {}) == canonical(line, saved) == line


@given(boards)
def test_a_conquest_takes_missing_armies_from_the_garrisons(board: Garrisons) -> None:
    known = {key: board.garrisons.get(key, 7) for key in CLASSIC.continents["australia"].territories}
    every = write_garrisons(known.items())
    saved = {"ourgame": write_board(board)}
    assert canonical("12 siam > australia rest:7", saved) == f"12 siam > {every}"
    assert canonical("ourgame 12 siam > australia rest:7", saved) == f"12 siam > {every}"
    own = write_garrisons((known | {"indonesia": 6}).items())
    assert canonical("12 siam > australia, 6 indonesia rest:7", saved) == f"12 siam > {own}"


def test_garrisons_of_another_map_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = {"ourgame": "map:classic 3 indonesia", "gone": "map:gone 3 indonesia"}
    assert canonical("12 siam > indonesia", saved) == "12 siam > 3 indonesia"
    with pytest.raises(MatchupError, match="garrisons of the map"):
        read("ourgame 12 siam > indonesia map:islands", saved, (), "")


def test_a_saved_conquest_keeps_its_garrisons() -> None:
    saved = OURS | {"attack": "12 siam > 1 indonesia"}
    assert canonical("attack leave:2", saved) == "12 siam > 1 indonesia leave:2"
