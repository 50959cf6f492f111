"""Logs that somebody has changed, or that break the rules: the check says so."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.live.fair import link, problems
from bot.live.replay import ReplayError, replay, throw_entry
from bot.notation.defaults import RULES
from bot.rooms import ROOMS
from solver.dice.fight import DiceFight
from solver.dice.game import DICE
from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.bot.frozen_logs import LOGS, UNSAID, a_log, reroll
from tests.helpers.bot.lines import check, parse
from tests.helpers.cases import each
from tests.helpers.extent import pick


def change(name: str, value: Any) -> Callable[[Log], Any]:
    return lambda log: log.update({name: value})


def change_roll(number: int, name: str, value: Any) -> Callable[[Log], Any]:
    return lambda log: log["rolls"][number - 1].update({name: value})


@each(
    [
        (change("seed", "0" * 64), "the seed doesn't match the commitment"),
        (change("battle", "other"), "the seed doesn't match the commitment"),
        (change("message", "1439870123456789013"), "roll 1: attacking die 1 should be 5, not 6"),
        (change("seed", "ab"), '"seed" is missing or garbled'),
        (change("commitment", 7), '"commitment" is missing or garbled'),
        (change("rolls", {}), '"rolls" is missing or garbled'),
        (lambda log: log.pop("line"), '"line" is missing or garbled'),
        (lambda log: log.pop("seed"), '"seed" is missing or garbled'),
        (change_roll(3, "attack", [4, 6, 1]), "roll 3: attacking die 2 should be 3, not 6"),
        (change_roll(3, "defence", [6, 9]), "roll 3: defending die 2 should be 4, not 9"),
        (change_roll(3, "attack", [5, 5]), "roll 3: its numbers of dice and faces differ"),
        (change_roll(3, "attack", [5, 5, 1, 1]), "roll 3: its numbers of dice and faces differ"),
        (change_roll(3, "attack", [5, 5, True]), "roll 3: its faces are missing or garbled"),
        (change_roll(3, "attack", "551"), "roll 3: its faces are missing or garbled"),
        (change_roll(3, "dice", ["3d6", "2d8"]), "roll 3: defending die 1 should be 4, not 6"),
        (change_roll(3, "dice", ["3d6"]), 'roll 3: "dice" is missing or garbled'),
        (change_roll(3, "dice", ["3d6", "2d1"]), "roll 3: a die can't have 1 sides"),
        (change_roll(3, "dice", ["9999999d6", "2d6"]), "roll 3: its numbers of dice and faces differ"),
        (
            change_roll(3, "retreat", True),
            "roll 3: it is more than one of these: dice, a retreat, a choice, losses kept, a roll taken back, mistyped",
        ),
        (
            change_roll(3, "real", True),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (change_roll(3, "real", 1), 'roll 3: "real" is missing or garbled'),
        (
            change_roll(3, "user", "1"),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (
            change_roll(3, "note", 1),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (
            change_roll(3, "hash", None),
            "roll 3: its hash doesn't match: this roll was changed, or one before it is missing",
        ),
        (change_roll(3, "interaction", "12"), "roll 3: attacking die 1 should be 3, not 4"),
        (change_roll(3, "interaction", "012"), 'roll 3: "interaction" is missing or garbled'),
        (change_roll(3, "n", 4), 'roll 3: its number "n" should be 3'),
        (lambda log: log["rolls"].pop(2), 'roll 3: its number "n" should be 3'),
        (lambda log: log["rolls"].insert(2, log["rolls"][2]), 'roll 4: its number "n" should be 4'),
        (lambda log: log["rolls"].reverse(), 'roll 1: its number "n" should be 1'),
        (lambda log: log["rolls"].insert(2, "roll"), "roll 3: it is garbled"),
    ]
)
def test_a_changed_log_has_its_problem_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    log = a_log()
    tamper(log)
    assert sentence in problems(log)
    assert sentence in check(log)


def test_faces_are_checked_where_an_entry_names_no_dice() -> None:
    log = a_log()
    log["rolls"][2] |= {"attack": [4, 6, 1], "dice": None}
    assert "roll 3: attacking die 2 should be 3, not 6, if it has six sides" in problems(log)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*at, key)
        yield from _places(one, (*at, key))


def _another(value: Any) -> Any:
    """Something like it: the next number, the last sign of a text changed, a list without its end."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0")
    if isinstance(value, list):
        return value[:-1] if value else [1]
    return {}


@each([name for name in LOGS if name != UNSAID])
def test_every_change_to_a_log_is_noticed(name: str) -> None:
    places = [place for place in _places(LOGS[name]) if place != ("line",) and LOGS[name][place[0]] is not None]
    if LOGS[name]["seed"] is None:
        places = [place for place in places if place not in (("battle",), ("message",))]  # They are in the dice.
    for number, place in [*enumerate(places)][:: pick(3, 1)]:
        for leave_out in pick([number % 2 == 1], [False, True]):
            log = a_log(name)
            room: Any = log
            for key in place[:-1]:
                room = room[key]
            if leave_out:
                del room[place[-1]]
            else:
                room[place[-1]] = _another(room[place[-1]])
            # Hashes do not tell that the last rolls are missing, only the rules do.
            cut = (
                len(place) == 1 + leave_out
                and place[0] == "rolls"
                and place[-1] in ("rolls", len(LOGS[name]["rolls"]) - 1)
            )
            assert bool(problems(log)) or cut, (place, leave_out)
            assert check(log) or log["seed"] is None, (place, leave_out)


def test_ids_may_be_numbers_and_fields_outside_hashes_are_ignored() -> None:
    log = a_log()
    log["message"], log["more"] = int(log["message"]), [float("nan")]
    for entry in log["rolls"]:
        entry["interaction"], entry["user"] = int(entry["interaction"]), int(entry["user"])
    assert check(twin.sealed(log)) == []


@each([True, -1, 1.5, 10**20, "", "1" * 21, "+1", "１", " 1", None, [1]])
def test_a_garbled_id_is_named(garbled: Any) -> None:
    log = a_log()
    log["rolls"][2]["interaction"] = garbled
    assert 'roll 3: "interaction" is missing or garbled' in problems(log)
    log["message"] = garbled
    assert problems(log) == ['"message" is missing or garbled']


def test_a_missing_hash_is_a_single_problem() -> None:
    log = a_log()
    del log["rolls"][2]["hash"]
    assert problems(log) == ["roll 3: its hash doesn't match: this roll was changed, or one before it is missing"]


def test_without_a_seed_only_hashes_are_checked() -> None:
    log = a_log("a battle that goes on")
    log["rolls"][2]["attack"][0] = 3
    assert problems(log) == ["roll 3: its hash doesn't match: this roll was changed, or one before it is missing"]
    log["rolls"][2]["attack"][0] = 7
    assert problems(log)[0] == "roll 3: attacking die 1 has 6 sides and can't show 7"


def test_changing_a_typed_roll_changes_the_last_hash() -> None:
    log = a_log("dice from the table, and a retreat")
    log["rolls"][0]["attack"] = [6, 6, 6]
    log = twin.sealed(log)
    assert check(log) == []
    assert log["rolls"][-1]["hash"] != a_log("dice from the table, and a retreat")["rolls"][-1]["hash"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([10**4000, -1, 2**70]),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=8,
)


@given(anything)
def test_any_other_json_is_no_log(value: Any) -> None:
    assert problems(value)
    assert check(value)


@given(st.data(), st.sampled_from(sorted(LOGS)), anything)
def test_a_log_with_any_value_inside_is_checked(data: st.DataObject, name: str, value: Any) -> None:
    log = a_log(name)
    place = data.draw(st.sampled_from(list(_places(log))))
    room: Any = log
    for key in place[:-1]:
        room = room[key]
    room[place[-1]] = value
    for sentence in (*problems(log), *check(log)):
        assert len(sentence) < 1000


def test_deep_and_infinite_values_in_a_log_are_named() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, float("inf"), float("nan")):
        log = a_log()
        log["rolls"][1]["more"] = value
        assert "roll 2: it can't be hashed: it has a number that is not whole, or is nested too deeply" in problems(log)


# The rules ----------------------------------------------------------------------------------------------


def breach(name: str, tamper: Callable[[Log], Any]) -> list[str]:
    """Return the problems of a log with right hashes and dice after a move against the rules."""
    log = a_log(name)
    tamper(log)
    log = twin.sealed(log)
    assert problems(log) == []
    return check(log)


RETREAT = {"interaction": "1", "user": "1", "attack": [], "defence": [], "retreat": True}


@each(
    [
        (
            lambda log: reroll(log, 2, [6, 6], [6, 6]),
            "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 2 and 2",
        ),
        (
            lambda log: reroll(log, 2, [6, 6, 6], [6, 6, 6]),
            "roll 2: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 3 and 3",
        ),
        (
            lambda log: reroll(log, 2, [6, 6, 4], [6, 6]),
            "roll 2: by the rules its dice are ['3d6', '2d6'], not ['2d6+1d4', '2d6']",
        ),
        (
            lambda log: reroll(log, 2, [100, 100, 100], [6, 6]),
            "roll 2: by the rules this die has 6 sides and can't show 36",
        ),
        (
            lambda log: log["rolls"].append({"n": 8, **RETREAT}),
            "roll 8: by the rules the battle is already over",
        ),
        (
            lambda log: log["rolls"].pop(),
            "the seed is there, but by the rules the battle is not over: rolls are missing",
        ),
        (
            change("line", "icons AAD,ADD,A,D,-,- 1000000 1000000 rounds:1000000"),
            "this line can't be replayed here: 1000000 against 1000000 is too large",
        ),
        (change("line", "12 bombs"), "this line can't be replayed here: I don't know `bombs`"),
        (change("line", "9 > 2 > 1000000"), "this line can't be replayed here: 8 against 1000000 is too"),
        (
            change("line", "12 9 variant:blitz"),
            "this line can't be replayed here: Reshaped odds have no dice to roll",
        ),
        (
            change("line", "3 inf vs 2 inf then 2 arm"),
            "roll 3: by the rules the attacker rolls 2 dice and the defender 2",
        ),
    ]
)
def test_a_roll_against_the_rules_is_named(tamper: Callable[[Log], Any], sentence: str) -> None:
    (told,) = breach("classic Risk", tamper)
    assert told.startswith(sentence)


def test_the_line_in_the_first_roll_cannot_be_changed() -> None:
    log = sealed_anew({**LOGS["classic Risk"], "rolls": [dict(roll) for roll in LOGS["classic Risk"]["rolls"]]}, "12 9")
    assert not problems(log)
    assert problems({**log, "line": "12 9 stop:1"}) == ["roll 1: it was rolled for another line"]


def test_the_rules_in_the_first_roll_cannot_be_changed() -> None:
    log = a_log()
    log["rules"] = 2
    log["rolls"][0]["rules"] = 2
    log = twin.sealed(log)
    assert not problems(log)
    del log["rules"]
    assert problems(log) == ["roll 1: it was rolled under other rules"]


@each([0, RULES + 1, 10**30, "2", None, True, [2]])
def test_unknown_rules_of_a_log_are_named(rules: object) -> None:
    told = check({**a_log(), "rules": rules})
    unknown = "this version doesn't know its rules; a newer Sandtable may"
    assert told[-1] == unknown


def test_a_log_of_todays_rules_does_not_pass_for_older_rules() -> None:
    assert check({**a_log(), "rules": 2}) == ["roll 1: it was rolled under other rules"]


def sealed_anew(log: Log, line: str) -> Log:
    """The log with the line in its first roll."""
    log["rolls"][0]["line"] = line
    head = log["commitment"]
    for roll in log["rolls"]:
        del roll["hash"]
        head = roll["hash"] = link(head, roll)
    return log


def test_a_log_of_a_finished_battle_needs_its_seed() -> None:
    log = a_log()
    log["seed"] = None
    assert check(log) == ["by the rules the battle is over, but its seed is missing"]


def test_a_retreat_in_the_middle_of_a_round_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DiceFight, "resting", False)
    told = check(a_log("dice from the table, and a retreat"))
    assert told == ["roll 4: by the rules the attacker can't retreat in the middle of a round"]


def test_missing_dice_in_a_log_are_counted() -> None:
    name = "Star Wars, dice of 8 sides and ones that are rolled again"
    (told,) = breach(name, lambda log: reroll(log, 1, [], []))
    assert told.startswith("roll 1: by the rules the attacker rolls 3 dice and the defender 2, rerolls included, not 0")


def test_a_retreat_ends_the_battle() -> None:
    told = breach("dice from the table, and a retreat", lambda log: log["rolls"].append({"n": 5, **RETREAT}))
    assert told == ["roll 5: by the rules the battle is already over"]


def test_dice_without_sides_in_a_log_take_those_of_the_rules() -> None:
    log = a_log(UNSAID)
    assert "should be" in problems(log)[0]
    assert problems(log)[0].endswith(", if it has six sides")
    battle = parse(log["line"]).battle
    steps = replay(ROOMS.of(battle).game, battle, log["rolls"])[1:]
    dice = [throw_entry(step.throw)["dice"] for step in steps if step.throw]
    assert any("1d8" in theirs for _, theirs in dice)
    last = log["rolls"][-1]
    was = last["defence"][0]
    last["defence"][0] = now = was - 1 if was > 1 else 2
    told = f"roll {last['n']}: defending die 1 should be {was}, not {now}"
    assert told in check(twin.sealed(log))


def test_replaying_a_log_leads_to_its_stages() -> None:
    log = a_log()
    stages = replay(DICE, parse("12 9").battle, log["rolls"])
    assert len(stages) == len(log["rolls"]) + 1
    assert stages[0].throw is None
    armies = [(s.fight.attackers, s.fight.defenders) for s in stages if isinstance(s.fight, DiceFight)]
    assert armies[:3] == [(12, 9), (11, 8), (10, 7)]
    assert armies[-1] == (7, 0)
    assert stages[-1].fight.ended == "won"
    assert all(
        throw_entry(s.throw)["attack"] == e["attack"] for s, e in zip(stages[1:], log["rolls"], strict=True) if s.throw
    )
    with pytest.raises(ReplayError, match="roll 1: its faces are missing or garbled"):
        replay(DICE, parse("12 9").battle, [{**log["rolls"][0], "attack": None}])
