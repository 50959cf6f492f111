"""Technologies in lines, answers, logs and suggestions: `tech:jets` makes jets of fighters, and jets can be typed."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.commands.run import run
from bot.console import request_from
from bot.editions import editions
from bot.games.axis.completion import army_completions
from bot.games.axis.live.words import move_rows
from bot.games.live import LiveStage
from bot.live.replay import replay
from bot.notation.defaults import RULES
from bot.notation.mistakes import MatchupError
from bot.replies import Reply, full_text
from bot.request import Services
from bot.rooms import ROOMS
from solver.axis.live.throws import AxisThrow
from tests.helpers.bot.fair_twin import log_of
from tests.helpers.bot.lines import battle_of, check, parse, write
from tests.helpers.cases import each
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin

HEAVIES = "2 inf 2 heavy vs 3 inf variant:1940"
DICE = {"attack": [6, 4, 5, 6, 1, 6], "defence": [6, 6, 6], "dice": ["6d6", "3d6"]}
OVER = {"attack": [1, 1, 6, 6, 6, 6], "defence": [6], "dice": ["6d6", "1d6"]}


@each(
    [
        ("3 fig 2 bom tech:jets,heavy vs 4 inf variant:1940", "3 jet 2 heavy vs 4 inf variant:1940"),
        ("3 fig vs 2 fig 4 inf tech:jet variant:1940", "3 fig vs 4 inf 2 jet variant:1940"),
        ("3 fig vs 2 fig 4 inf atech:jets dtech:jets variant:aa50", "3 jet vs 4 inf 2 jet variant:aa50"),
        ("1 fig 2 jet technologies:jets vs 1 inf variant:1940", "3 jet vs 1 inf variant:1940"),
        ("2 art 1 aart 3 inf techs:artillery vs 1 inf variant:1940", "3 inf 2 adv 1 aadv vs 1 inf variant:1940"),
        ("2 sub 1 des tech:super,combined vs 3 tra variant:revised", "2 ssub 1 bdes vs 3 tra variant:revised"),
        ("3 jet fighters 1 heavy bomber vs 1 inf variant:1940", "3 jet 1 heavy vs 1 inf variant:1940"),
        (
            "3 inf 2 fig loss:fig,inf tech:jets vs 4 inf variant:1940",
            "3 inf 2 jet loss:jet,inf vs 4 inf variant:1940",
        ),
        (
            "2 fig vs 2 inf then 1 fig 1 inf tech:jets then hold 2 fig tech:jets variant:1940",
            "2 fig vs 2 inf variant:1940 then 1 inf 1 jet then hold 2 jet",
        ),
        ("2 inf tech:jets vs 2 inf variant:1940", "2 inf vs 2 inf variant:1940"),
    ]
)
def test_technologies_are_written_as_their_units(line: str, written: str) -> None:
    assert write(parse(line).battle) == written
    assert write(parse(written).battle) == written


def test_a_remark_names_a_technology_that_changes_no_unit() -> None:
    """A player who copies all technologies of a nation reads which of them do nothing here."""
    read = parse("3 fig tech:jets,heavy vs 4 inf dtech:radar variant:1940")
    assert read.remarks == (
        "`tech:heavy` makes no difference: the attacker has no unit that it changes.",
        "`tech:radar` makes no difference: the defender has no unit that it changes.",
    )
    assert parse("3 fig 1 bom tech:jets,heavy vs 4 inf 1 aa dtech:radar variant:1940").remarks == ()


@each(
    [
        ("3 fig tech:jetz vs 4 inf variant:1940", "no technology `jetz`. Did you mean `jet`", "tech:jet"),
        ("3 fig tech:rockets vs 4 inf variant:1940", "It has jets, supersubs, heavy, radar, artillery.", ""),
        ("3 fig tech:jets vs 4 inf", "A&A 1942 has no technologies.", ""),
        ("3 fig tech: vs 4 inf variant:1940", "`tech:` needs technologies joined by commas", ""),
        ("3 fig tech vs 4 inf variant:1940", "`tech:` needs technologies joined by commas", ""),
        ("2 heavy vs 4 inf lowluck variant:1940", "Low luck has no rule for bombers", ""),
        ("2 jet vs 4 inf variant:1941", "It is a unit with `variant:1940`", ""),
    ]
)
def test_wrong_technologies_are_mistakes_with_a_correction(line: str, told: str, better: str) -> None:
    with pytest.raises(MatchupError) as error:
        parse(line)
    assert told in str(error.value.text)
    assert better in (error.value.better or "")


def test_a_log_has_both_dice_of_a_heavy_bomber(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = log_of(HEAVIES, DICE, OVER)
    assert check(log) == []
    steps = replay(ROOMS.of(battle_of(HEAVIES, RULES)).game, battle_of(HEAVIES, RULES), log["rolls"])
    fight: Any = steps[1].fight
    assert fight.left[1] == {"infantry": 1}, "6 and 4 hit once, 5 and 6 miss, and an infantry hits"
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(log))
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out
    short = log_of(HEAVIES, DICE | {"attack": [4, 5, 1, 6], "dice": ["4d6", "3d6"]}, OVER)
    assert check(short) != []


async def answer(services: Services, line: str) -> str:
    """All that is said to a line."""
    said = await run(request_from(line), services)
    assert isinstance(said, Reply)
    return full_text(said)


def test_a_live_battle_shows_both_dice() -> None:
    fight = begin(battle_of(HEAVIES, RULES))
    throw, after = fight.throw(script(6, 4, 5, 6, 1, 6, 6, 6, 6))
    assert isinstance(throw, AxisThrow)
    shown = "\n".join(move_rows(LiveStage(after, throw), "1940")).replace("\N{NO-BREAK SPACE}", " ")
    assert "@4 6/4 5/6  @1 1 6 → 2 hits" in shown


@each(
    [
        ("3 je variant:1940", ""),
        ("variant:1940 3 inf 2 je", "variant:1940 3 inf 2 jet"),
        ("variant:1940 3 fig tech:he", "variant:1940 3 fig tech:heavy"),
        ("variant:revised 3 fig vs 2 des dtech:b", "variant:revised 3 fig vs 2 des dtech:bombardment"),
        ("variant:1940 3 fig te", "variant:1940 3 fig tech:jets"),
    ]
)
def test_technologies_are_suggested(typed: str, completed: str) -> None:
    found = list(army_completions(typed, questions=True))
    assert completed in found or not completed


async def test_help_names_technologies_on_the_screen_of_an_edition(services: Services) -> None:
    for key, edition in editions().items():
        shown = await answer(services, f"help {key}")
        assert ("Technologies: " in shown) == bool(edition.technologies)
        assert ("4/4" in shown) == (key.startswith("1940") or key == "aa50")
    assert "2×4" in await answer(services, "help revised")
