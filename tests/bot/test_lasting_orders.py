"""Orders of loss in several waves go on with the units that are still there; old lines keep what they meant."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.transfer import read_setups
from bot.discord_app.client import Client
from bot.editions import editions
from bot.notation.defaults import RULES, NotationDefaults, reading_with
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.database import open_store
from solver.axis.battle import AxisBattle
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import battle_of, parse, spelled_out, write
from tests.helpers.bot.lines import spelled_out as again
from tests.helpers.bot.setups import LATER_THAN_8, OLD, entry, file_of, setup
from tests.helpers.cases import each
from tests.helpers.extent import examples

LINE = "3 inf 1 fig vs 3 inf 2 arm 1 fig loss:fig,arm,inf then 3 arm"
SPELLED = "3 inf 1 fig vs 3 inf 2 arm 1 fig loss:fig,arm,inf then 3 arm vs loss:usual"


def waves(line: str) -> Waves:
    battle = parse(line).battle
    assert isinstance(battle, Waves)
    return battle


def kinds(battle: AxisBattle) -> tuple[list[str], list[str]]:
    """The orders of loss of both sides, in short words."""
    short = editions()[battle.rules.key].short
    sides = (battle.attacker, battle.defender)
    ours, theirs = ([short[name] for name in side.loss_order if side.count(name)] for side in sides)
    return ours, theirs


def test_a_casualty_order_goes_on_in_the_next_wave() -> None:
    assert solve_waves(waves(LINE)).waves[1].takes == pytest.approx(0.301, abs=0.0005)
    assert solve_waves(waves(SPELLED)).waves[1].takes == pytest.approx(0.265, abs=0.0005)
    assert kinds(waves(LINE).battles[1])[1] == ["fig", "arm", "inf"]


def test_captors_keep_their_land_unit_to_the_last() -> None:
    """The captors keep one infantry to the last, behind the fighters that land beside them."""
    line = "5 inf keep:1 vs 1 inf then hold 3 arm vs 2 fig"
    assert waves(line).battles[1].defender.keep_land == 1
    assert solve_waves(waves(line), 0).hold_chance(0) == pytest.approx(0.98731, abs=5e-6)
    assert solve_waves(waves(f"{line} dkeep:0"), 0).hold_chance(0) == pytest.approx(0.99048, abs=5e-6)
    with reading_with(NotationDefaults(rules=1)):
        assert waves(line).battles[1].defender.keep_land == 0
    assert spelled_out(line) == f"{line} dkeep:0"


def test_a_damaged_ship_may_join_those_whose_order_goes_on() -> None:
    there = waves("2 cru vs 1 des 1 cru loss:cru,des then 2 des vs 1 dbat")
    assert kinds(there.battles[1])[1] == ["cru", "des", "dbat"]
    assert parse(write(there)).battle == there


@each(
    [
        ("3 inf vs 2 inf 1 art loss:art,inf then 2 inf vs 1 arm", ["art", "inf", "arm"]),
        ("3 inf vs 2 inf 1 art loss:art,inf then 2 inf then 1 inf", ["art", "inf"]),
        ("3 inf vs 2 inf 1 art loss:art,inf then 2 inf vs loss:usual then 1 inf", ["inf", "art"]),
        ("3 inf 2 art loss:art,inf vs 2 inf then hold 3 inf", ["art", "inf"]),
        ("3 inf 2 ainf 1 art loss:art,inf,ainf vs 2 inf then hold 3 inf", ["art", "inf"]),
        ("3 inf 2 art vs 2 inf 1 art loss:art,inf then hold 3 inf", ["inf", "art"]),
        ("3 inf 2 art loss:art,inf vs 2 inf then hold 3 inf then hold 2 inf 1 art", ["inf", "art"]),
    ]
)
def test_the_side_whose_casualty_order_goes_on(line: str, orders: list[str]) -> None:
    assert kinds(waves(line).battles[-1])[1] == orders
    assert waves(write(waves(line))) == waves(line)


def test_the_option_gunslast_goes_on_in_the_next_wave() -> None:
    for end, last in (("", True), (" vs gunslast:no", False), (" vs loss:usual", False)):
        assert waves(f"3 inf vs 2 inf 1 aa gunslast then 2 inf{end}").battles[1].defender.aa_second_last is last


@each(
    [
        ("5 inf vs 3 inf 1 arm gunslast then 3 inf", "5 inf vs 3 inf 1 arm then 3 inf"),
        (
            "5 inf vs 3 inf gunslast then 3 inf vs 1 aa then 2 inf",
            "5 inf vs 3 inf then 3 inf vs 1 aa gunslast then 2 inf",
        ),
        (
            "5 inf vs 3 inf 1 aa gunslast then hold 3 inf then hold 2 inf gunslast:no",
            "5 inf vs 3 inf 1 aa gunslast then hold 3 inf then hold 2 inf",
        ),
    ]
)
def test_gunslast_is_written_only_beside_guns(line: str, written: str) -> None:
    assert write(waves(line)) == written
    assert waves(written) == waves(line)


def test_an_old_line_without_guns_is_written_without_gunslast() -> None:
    with reading_with(NotationDefaults(rules=1)):
        battle = parse("5 inf vs 3 inf 1 arm gunslast then 3 inf").battle
    assert write(battle) == "5 inf vs 3 inf 1 arm then 3 inf"


SIDES = st.lists(st.sampled_from(["2 inf", "1 art", "2 arm", "1 fig"]), min_size=2, max_size=4, unique=True)


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Waves with orders of loss of either side, wherever people may say them."""

    def side(guns: bool) -> str:
        units = draw(SIDES)
        named = draw(st.permutations([unit.split()[1] for unit in units]))[: draw(st.integers(0, 4))]
        loss = draw(st.sampled_from(["", "loss:usual", f"loss:{','.join(named)}" if named else ""]))
        return " ".join([*units, loss, draw(st.sampled_from(["", "gunslast", "gunslast:no"])) if guns else ""])

    words = [f"{side(guns=False)} vs 1 aa {side(guns=True)}"]
    for _ in range(draw(st.integers(1, 2))):
        words.append(f"{draw(st.sampled_from(['then', 'then hold']))} {side(guns=False)}")
        words.append(f"vs {side(guns=True)}" if draw(st.booleans()) else "")
    return " ".join(" ".join(words).split())


@examples(150)
@given(lines())
def test_lasting_casualty_orders_are_written_and_read_again(line: str) -> None:
    for rules in (1, 2, RULES):
        with reading_with(NotationDefaults(rules=rules)):
            battle = parse(line).battle
        assert isinstance(battle, Waves)
        today = replace(battle, battles=tuple(replace(wave, ruling=RULES) for wave in battle.battles))
        assert waves(write(battle)) == today


# Old lines, buttons and logs --------------------------------------------------------------------------------


def test_old_lines_are_spelled_out_with_their_orders() -> None:
    assert spelled_out(LINE) == SPELLED
    for line in (SPELLED, "3 inf vs 2 inf then 1 inf", "12 9", "nonsense then more"):
        assert again(line) == line


def test_an_old_log_keeps_its_casualty_orders() -> None:
    old, new = battle_of(LINE, 1), battle_of(LINE, 2)
    assert isinstance(old, Waves)
    assert isinstance(new, Waves)
    assert (kinds(old.battles[1])[1], kinds(new.battles[1])[1]) == (["inf", "arm", "fig"], ["fig", "arm", "inf"])


async def test_an_old_button_keeps_its_casualty_orders(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for version, chance in (("b1", "26.5%"), ("b2", "30.1%")):
        old = discord.old_message(f"Some odds\n-# `{LINE}`", {"Odds": f"{version}:battle"})
        shown: Any = await alice.presses(old, "Odds")
        assert chance in shown.content


async def test_old_presets_are_spelled_out_once(tmp_path: Path) -> None:
    file = tmp_path / "sandtable.db"
    shutil.copy(OLD, file)
    with closing(sqlite3.connect(file)) as database, database:
        change = "UPDATE setups SET line = ? WHERE name = ?"
        database.execute(change, (LINE, "alamo"))
        database.execute(change, ("3 inf vs 2 inf then hold 4 arm", "ukraine"))
    for _ in range(2):
        async with open_store(file) as store:
            kept = {one.name: one.line for one in await store.setups("guild:1")}
            assert kept == {"alamo": SPELLED, "ukraine": "3 inf vs 2 inf then hold 4 arm"}


async def test_old_presets_are_spelled_out_once_on_postgresql(shared: str) -> None:
    """In later revisions its table of battles has one more column, and there is one more table and one more index."""
    async with open_store(shared) as store:
        await store.save("guild:1", setup("alamo", LINE), 9, manages=False)
        await store.save("guild:1", setup("ukraine", "3 inf vs 2 inf then hold 4 arm"), 9, manages=False)
        async with store.battles._connections.write() as connection:
            await connection.exec_driver_sql("ALTER TABLE battles DROP COLUMN base64url")
            for statement in LATER_THAN_8:
                await connection.exec_driver_sql(statement)
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0006'")
    async with open_store(shared) as store:
        kept = {one.name: one.line for one in await store.setups("guild:1")}
        assert kept == {"alamo": SPELLED, "ukraine": "3 inf vs 2 inf then hold 4 arm"}


def test_an_old_file_of_presets_keeps_its_casualty_orders() -> None:
    for version, line in ((1, SPELLED), (2, LINE)):
        text = file_of(entry("alamo", LINE), version=version).data.decode()
        assert [one.line for one in read_setups(ROOMS, text, load())] == [line]
