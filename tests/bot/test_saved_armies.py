"""Presets that hold an army without an enemy: saved, named on either side of `vs`, changed, exported, refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord_app.client import Client
from bot.editions import editions
from bot.games.axis.named.armies import keep
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from bot.phrases.reader import understand
from bot.presets import line_without_battle
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord, Upload
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import parse, write
from tests.helpers.cases import each

GERMANY, KARELIA = "8 inf 3 art 4 arm 2 fig", "6 inf 2 art 1 arm 1 aa"
SAVED = {
    "germany": GERMANY,
    "karelia": KARELIA,
    "moscow": "9 inf 1 tac variant:1940",
    "kiev": "3 inf 2 arm vs 5 inf rounds:2",
    "alamo": "12 9",
}


@each(
    [
        ("germany vs 6 inf", f"{GERMANY} vs 6 inf"),
        ("5 inf vs germany", f"5 inf vs {GERMANY}"),
        ("germany +2 inf vs karelia", f"10 inf 3 art 4 arm 2 fig vs {KARELIA}"),
        ("germany -4 arm +1 bom 2 inf vs karelia -1 aa +1 fig", "2 inf 3 art 2 fig 1 bom vs 6 inf 2 art 1 arm 1 fig"),
        ("germany lowluck vs 6 inf loss:inf", f"{GERMANY} vs 6 inf lowluck"),
        ("germany loss:fig,inf vs karelia", f"{GERMANY} loss:fig,inf,art,arm vs {KARELIA}"),
        ("6 inf vs 4 inf then germany", f"6 inf vs 4 inf then {GERMANY}"),
        (
            "6 inf vs 4 inf then hold karelia -1 aa then germany",
            f"6 inf vs 4 inf then hold 6 inf 2 art 1 arm then {GERMANY}",
        ),
        ("moscow vs karelia variant:1940", f"9 inf 1 tac vs {KARELIA} variant:1940"),
        ("germany vs kiev", f"{GERMANY} vs 5 inf"),
        ("kiev vs karelia", f"3 inf 2 arm vs {KARELIA} rounds:2"),
    ]
)
def test_a_saved_army_fights_on_the_side_where_its_name_stands(line: str, means: str) -> None:
    assert write(parse(line, SAVED).battle) == write(parse(means).battle)


@each(
    [
        ("germany", "Against whom?"),
        ("vs germany", "Who attacks?"),
        ("germany karelia vs 3 inf", "Use one preset at a time"),
        ("germany vs moscow", "`germany` is of 1942, `moscow` of 1940. Say which one counts: `variant:1942`."),
        ("karelia vs 3 inf", "can't attack"),
        ("germany vs 12", "Put a number before each unit"),
    ]
)
def test_a_saved_army_is_no_battle_by_itself(line: str, why: str) -> None:
    with pytest.raises(MatchupError) as refused:
        parse(line, SAVED)
    assert why in refused.value.reason


@each(
    [
        ("rule:bombard-first", "variant:1940 rule:bombard-first,lone-guns-fire unit:mec=1/2/4"),
        ("rule:lone-guns-fall dice:d12", "variant:1940 rule:d12 unit:mec=1/2/4"),
        ("unit:mech=2/2/4,zep=4/1/11", "variant:1940 rule:lone-guns-fire unit:mec=2/2/4,zep=4/1/11"),
    ]
)
def test_rules_and_units_of_a_line_join_those_of_a_table(typed: str, written: str) -> None:
    saved = {"ours": "variant:1940 rule:lone-guns-fire unit:mec=1/2/4"}
    for line in (f"ours 3 mech vs 2 inf 1 aa {typed}", f"{typed} 3 mech vs 2 inf 1 aa ours"):
        assert write(parse(line, saved).battle) == f"3 mec vs 2 inf 1 aa {written}"


def test_the_defender_leaves_in_each_wave_at_a_table_where_the_line_says_nothing_else() -> None:
    table = keep("dretreat:2,units<2 variant:1940", {})
    assert table == "variant:1940 dretreat:2,units<=1"
    line = "ours 3 inf vs 2 inf dretreat:3 then 1 inf then hold 2 inf dretreat:1"
    written = write(parse(line, {"ours": table}).battle)
    assert written == "3 inf vs 2 inf variant:1940 dretreat:3 then 1 inf dretreat:2,units<=1 then hold 2 inf dretreat:1"
    with pytest.raises(MatchupError, match="The number of rounds must be"):
        keep("dretreat:0", {})


def test_a_line_put_right_names_the_rules_of_a_table_once() -> None:
    with pytest.raises(MatchupError) as refused:
        parse("ours 2 sub vs 1 des", {"ours": "variant:aa-classic rule:subs-strike-both"})
    assert refused.value.better == "ours 2 sub vs 1 des variant:1942"


@each(
    [
        ("8 infantry, 3 art 4 tanks 2 fig", GERMANY),
        ("2 fig 8i 4t 3 art", GERMANY),
        ("germany +2 inf -4 arm", "10 inf 3 art 2 fig"),
        ("moscow 1 inf", "1 inf 1 tac variant:1940"),
        ("3 fig tech:jets variant:1940", "3 jet variant:1940"),
        ("2 sub 3 des", "2 sub 3 des"),
        ("1 aa", "1 aa"),
        ("8 inf 2 zep unit:zep=4/2/9/air", "8 inf 2 zep unit:zep=4/2/9/air"),
        ("rule:repaired variant:1940", "variant:1940 rule:repaired"),
        ("unit:zep=4/2/9/air variant:1940", "variant:1940 unit:zep=4/2/9/air"),
        *((line, None) for line in ("12 9", "3 inf vs 2 inf", "8 inf || 3 inf", "8 inf in kiev", "5 bom 20", "3 siam")),
    ]
)
def test_units_alone_are_an_army(text: str, line: str | None) -> None:
    assert keep(text, SAVED) == line


@each(
    [
        ("8 inf rounds:2", "An army on its own has only units"),
        ("8 inf loss:inf", "An army on its own has only units"),
        ("rule:repaired retreat:transports", "Rules of a table are"),
        ("0 inf", "Who attacks?"),
        ("10001 inf", "10000"),
        ("1 ainf 1 aa", "can't attack"),
    ]
)
def test_an_army_that_no_battle_can_have_is_not_saved(text: str, why: str) -> None:
    with pytest.raises(MatchupError) as refused:
        line_without_battle(ROOMS, "", text, SAVED)
    assert why in refused.value.reason


@given(st.sampled_from(sorted(editions())), st.data())
def test_a_name_means_the_units_that_it_stands_for(key: str, data: st.DataObject) -> None:
    edition = editions()[key]
    land = [edition.short[unit.name] for unit in edition.rules.units if unit.kind == "land" and not unit.antiaircraft]
    counts = data.draw(st.dictionaries(st.sampled_from(land), st.integers(1, 9), min_size=1))
    typed = " ".join(f"{count} {unit}" for unit, count in counts.items())
    with reading_with(NotationDefaults(edition=key)):
        saved = {"ours": keep(typed, {}) or ""}
        assert keep(saved["ours"], {}) == saved["ours"]
        for line in ("{} +1 inf vs 2 inf", "2 inf vs {}", "1 inf vs 2 inf then hold {}"):
            named = write(parse(line.format("ours"), saved).battle)
            units = {**counts, "inf": counts.get("inf", 0) + ("+1" in line)}
            more = " ".join(f"{count} {unit}" for unit, count in units.items() if count)
            assert named == write(parse(line.replace(" +1 inf", "").format(more)).battle)


@each(
    [
        ("germany attacks karelia", f"{GERMANY} vs {KARELIA}"),
        ("can germany take karelia with low luck?", f"{GERMANY} vs {KARELIA} lowluck"),
        ("karelia defends against germany", f"{GERMANY} vs {KARELIA}"),
        ("my germany against his 6 infantry", f"{GERMANY} vs 6 inf"),
        ("what do I need of germany to beat 9 inf", f"/need {GERMANY} vs 9 inf"),
        ("moscow attacks 3 inf", "9 inf 1 tac vs 3 inf variant:1940"),
        ("moscow attacks karelia", ""),
    ]
)
def test_saved_armies_are_named_in_own_words(said: str, line: str) -> None:
    assert understand(ROOMS, said, saved=SAVED).line == line


async def test_a_table_is_saved_and_counts_in_any_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    saved = await alice.sends("preset save", name="ours", matchup="unit:zep=4/2/9/air,tank=3/2/5")
    assert saved.content.startswith("Saved `ours`: `unit:arm=3/2/5,zep=4/2/9/air`. `ours` holds the rules of")
    battle = await alice.sends("battle", matchup="ours 2 zep 1 arm vs 3 inf")
    assert line_of(battle) == "1 arm 2 zep vs 3 inf unit:arm=3/2/5,zep=4/2/9/air"
    assert line_of(await alice.presses(battle, "Swap sides")) == "3 inf vs 1 arm 2 zep unit:arm=3/2/5,zep=4/2/9/air"
    await alice.sends("preset save", name="fleet", matchup="3 zep unit:zep=4/2/9/air,arm=3/2/5")
    both = await alice.sends("battle", matchup="fleet vs 3 inf ours")
    assert line_of(both) == "3 zep vs 3 inf unit:arm=3/2/5,zep=4/2/9/air"
    shown = await alice.sends("preset show", name="ours")
    assert shown.content.startswith("**unit:arm=3/2/5,zep=4/2/9/air** · A&A 1942\n-# `ours`, saved by Alice")


async def test_armies_are_saved_listed_used_changed_and_moved(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    saved = await alice.sends("preset save", name="germany", matchup="8 infantry 2 fig")
    assert saved.content.startswith("Saved `germany`: `8 inf 2 fig`. `germany` is an army: `/battle germany vs ...`")
    attack = await bob.sends("battle", matchup="5 inf vs germany")
    assert line_of(attack) == "5 inf vs 8 inf 2 fig"
    assert "Preset `germany`: `8 inf 2 fig`, not Germany in the opening of A&A 1942" in attack.content
    shown = await alice.sends("preset show", name="germany")
    assert shown.content.startswith("**8 inf 2 fig** · 10 units · 44 IPC · A&A 1942\n-# `germany`, saved by Alice\n")
    await alice.sends("preset change", name="germany", matchup="germany +1 arm")
    assert line_of(await bob.sends("battle", matchup="germany vs 6 inf")) == "8 inf 1 arm 2 fig vs 6 inf"
    choices = await alice.types("preset save", name="italy", matchup="3 inf 1 arm")
    assert [choice.value for choice in choices][:2] == ["3 inf 1 arm", "3 inf 1 arm vs 4 inf"]
    refused = await alice.sends("preset save", name="mystack", matchup="14")
    assert (refused.content, refused.labels) == ("That is the number of one side only. What is the other?", ["Help"])

    boss = discord.member("Boss", manage_guild=True, guild=discord.add_guild("Elsewhere"))
    await boss.sends("settings", edition="1940")
    (file,) = (await alice.sends("preset export")).files
    preview = await boss.sends("preset import", file=Upload("setups.json", file.data))
    await boss.presses(preview, "Import")
    listed = await boss.sends("preset list")
    assert "germany  8 inf 1 arm 2 fig variant:1942" in listed.content
    await boss.sends("preset rename", name="germany", new="ukraine")
    assert line_of(await boss.sends("battle", matchup="ukraine vs 6 inf")) == "8 inf 1 arm 2 fig vs 6 inf variant:1942"
