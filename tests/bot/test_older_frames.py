"""Messages from before commitments were written in base64url: they are still read, and go on as they began."""

import re
from pathlib import Path

import pytest

from bot.commands.live import battle_in
from bot.discord_app.client import Client
from bot.live.fair import base64url
from bot.request import Services
from bot.store.database import open_store
from bot.store.records import BattleRecord
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.live_battles import LIVE, OVER, under
from tests.helpers.bot.rolled_battles import ALICE, check_chain, found, roll
from tests.helpers.bot.rolled_battles import fought as begun
from tests.helpers.bot.setups import LATER_THAN_8
from tests.helpers.bot.storm import idle
from tests.helpers.cases import each

pytestmark = pytest.mark.usefixtures("quick_frames")


async def older(discord: FakeDiscord, alice: Person, services: Services) -> tuple[Shown, BattleRecord]:
    """A battle that began before, and its first frame as it looked then."""
    shown = await alice.sends("roll", matchup="12 9")
    async with services.store.battles._connections.write() as connection:
        await connection.exec_driver_sql("UPDATE battles SET base64url = false")
    record = await services.store.battles.find(under(shown, "battle"))
    assert record
    note = f"-# fair dice: commitment `{record.battle.commitment}`\n-# battle `{record.battle.id}` · `12 9`"
    buttons = {button.label: button.custom_id for button in shown.buttons}
    return discord.old_message(f"⚔️ **Attacker wins 79.0 %** · 12 against 9\n{note}", buttons), record


async def test_a_battle_that_began_in_hexadecimal_stays_in_hexadecimal(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown, record = await older(discord, alice, services)
    first = under(shown, "commitment")
    for button in ("Roll", "Roll to the end"):
        shown = await alice.presses(shown, button)
        assert re.fullmatch("[0-9a-f]{64}", under(shown, "commitment"))
        assert under(shown, "commitment") == first
    assert record.battle.seed not in shown.content
    checked = await alice.presses(shown, "Verify")
    assert f"commitment `{base64url(first)}` (in hex `{first}`)" in checked.content
    assert under(checked, "seed") == record.battle.seed
    again = await alice.presses(shown, "Roll again")
    assert re.fullmatch(r"[\w-]{43}", under(again, "commitment")), "a new battle has the new shape"


async def test_buttons_under_messages_of_an_older_version_still_work(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, xena = discord.member("Alice"), discord.member("Xena")
    first, record = await older(discord, alice, services)
    shown = await alice.presses(first, "Roll")
    assert shown.labels == LIVE
    over = await alice.presses(shown, "Roll to the end")
    buttons = {button.label: button.custom_id for button in over.buttons}
    battle, head = record.battle, under(over, "log")
    note = f"-# seed `{battle.seed}`\n-# commitment `{battle.commitment}`"
    note = f"{note}\n-# battle `{battle.id}` · log `{head}` · `12 9`"
    old = discord.old_message(f"🎲 **Attacker wins with 4 left** · 12 against 9\n{note}", buttons)
    assert battle_in(old.content) == battle.id
    checked = await xena.presses(old, "Verify")
    assert checked.content.startswith(f"✅ **Battle {battle.id}, ")
    assert line_of(await xena.uses("Battle odds", on=old)) == "12 9"
    assert (await alice.presses(old, "Roll again")).labels == LIVE
    assert over.labels == OVER


async def test_friends_roll_under_a_message_of_an_older_version(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    """Where we are no members, a press on an older message counts because that message shows the battle."""
    sam = discord.stranger("Sam", group=True)
    pat = discord.stranger("Pat").moves(sam.channel)
    shown = await sam.presses(await sam.sends("roll", matchup="20 20", open=True), "Roll")
    name, log = under(shown, "battle"), under(shown, "log")
    shared = await sam.sends("history share", battle=name)
    await sam.sends("history share", battle=name)
    await idle(bot)
    services.store.battles._lately.clear()
    promise = f"-# fair dice: commitment `{'0' * 64}`"
    discord.board.find(shared.id).content = f"🎲 20 against 20\n{promise}\n-# battle `{name}` · log `{log}` · `20 20`"
    await pat.presses(shared, "Roll")
    record = await services.store.battles.find(name)
    assert record
    assert record.battle.turn == 2


@each(
    [
        "-# fair dice: commitment `{hex}`\n-# battle `k3f9x2ab` · `12 9`",
        "-# fair dice: commitment `{hex}`\n-# battle `k3f9x2ab` · log `0123abcd` · `12 9`",
        "-# seed `{hex}`\n-# commitment `{hex}`\n-# battle `k3f9x2ab` · log `0123abcd` · `12 9`",
        "-# commitment `{short}`\n-# battle `k3f9x2ab` · `12 9`",
        "-# commitment `{short}` · log `0123abcd`\n-# battle `k3f9x2ab` · `12 9`",
        "-# Festlegung `{short}` · Log `0123abcd`\n-# Kampf `k3f9x2ab` · `12 9`",
    ]
)
def test_the_battle_of_a_message_is_read_in_every_version(note: str) -> None:
    content = (
        f"🎲 **9 against 8** · 12 against 9\n```\n12 v 9\n```\n{note.format(hex='ab' * 32, short='a-_' * 14 + 'b')}"
    )
    assert battle_in(content) == "k3f9x2ab"
    assert battle_in(f"{content}\nand more") == ""


async def test_battles_of_an_older_database_go_on_in_hexadecimal(where: Path | str) -> None:
    async with open_store(where) as store:
        await store.battles.begin(begun(base64url=True), [ALICE], 500)
        async with store.battles._connections.write() as connection:
            for statement in LATER_THAN_8:
                await connection.exec_driver_sql(statement)
            await connection.exec_driver_sql("ALTER TABLE battles DROP COLUMN base64url")
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0007'")
    async with open_store(where) as store:
        assert (await found(store.battles)).battle == begun(base64url=False)
        await store.battles.begin(begun("bbbbbbbb", base64url=True), [ALICE], 500)
        for name, expected in (("aaaaaaaa", False), ("bbbbbbbb", True)):
            assert await roll(store.battles, name)
            record = await found(store.battles, name)
            check_chain(record)
            assert record.battle.base64url is expected
