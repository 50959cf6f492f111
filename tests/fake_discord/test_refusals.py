"""What the stand-in refuses, delays and records."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from io import BytesIO

import aiohttp
import discord
import pytest

from .stand_in import FakeDiscord
from .timing import PATIENCE
from .tiny_bot import Asked, Misdeed, Table, answer, laid_table, png, too_long
from .wire import Json

CALLBACK = "POST /interactions/{id}/{token}/callback"
ORIGINAL = "PATCH /webhooks/{id}/{token}/messages/@original"


async def test_a_429_is_repeated(table: Table) -> None:
    table.discord.limit_next(CALLBACK, retry_after=0.05, times=2)
    assert await table.discord.member("Alice").sends("battle", matchup="12 9")
    assert [request.status for request in table.discord.requests_to(CALLBACK)] == [429, 429, 200]


async def test_a_route_fails_once(table: Table) -> None:
    table.discord.fail_next("POST /channels/{id}/messages", status=503)
    alice = table.discord.member("Alice")
    await alice.says("@bot 12 9", reply=False)
    async with asyncio.timeout(PATIENCE):
        await table.bot.failed.wait()
    assert table.bot.errors == [503]
    assert "-> 503" in table.discord.outlook()
    assert await alice.says("@bot 12 9")


async def test_an_ordered_fault_that_never_happens_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="never met"):
        async with FakeDiscord() as fake:
            fake.fail_next("GET /gateway/bot", status=503)
    with pytest.raises(AssertionError, match="no route"):
        fake.limit_next("GET /gateway/bots", retry_after=1)


async def test_a_tight_bucket_paces_the_client(table: Table) -> None:
    async def chatter(interaction: Asked) -> None:
        await interaction.response.send_message("0")
        for number in range(1, 5):
            await interaction.edit_original_response(content=str(number))

    table.discord.limit_rate(ORIGINAL, limit=2, per=0.1)
    await table.misbehaves(chatter)
    edits = table.discord.requests_to(ORIGINAL)
    assert [edit.status for edit in edits] == [200] * 4
    assert edits[2].at - edits[0].at >= 0.09


async def test_a_request_above_the_rate_limit_is_refused() -> None:
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        fake.limit_rate("GET /gateway", limit=1, per=60)
        headers = {"Authorization": f"Bot {fake.token}"}
        for status in (200, 429):
            async with session.get(f"{fake.api}/gateway", headers=headers) as response:
                body = await response.json()
                assert (response.status, response.headers["X-RateLimit-Remaining"]) == (status, "0")
                assert 50 < float(response.headers["X-RateLimit-Reset-After"]) <= 60
        assert body["retry_after"] > 50


async def test_a_second_acknowledgement_is_refused(table: Table) -> None:
    async def twice(interaction: Asked) -> None:
        await asyncio.gather(answer(interaction), answer(interaction))

    with table.discord.violations.expected("40060"):
        await table.misbehaves(twice)
    assert table.bot.errors == [40060]


async def test_the_first_answer_has_three_seconds(table: Table) -> None:
    async def late(interaction: Asked) -> None:
        table.discord.clock.advance(3.1)
        await answer(interaction)

    await table.misbehaves(late)
    assert table.bot.errors == [10062]
    interaction = await table.misbehaves(answer, late=3.1)
    assert table.bot.errors == [10062, 10062]
    assert "Unknown interaction" in repr(interaction)


async def test_a_token_lives_fifteen_minutes(table: Table) -> None:
    async def long_roll(interaction: Asked) -> None:
        await answer(interaction)
        table.discord.clock.advance(14 * 60)
        await interaction.edit_original_response(content="still there")
        table.discord.clock.advance(61)
        await interaction.edit_original_response(content="too late")

    await table.misbehaves(long_roll)
    assert table.bot.errors == [50027]
    assert table.discord.channel_messages[0].content == "still there"


async def test_editing_a_deleted_message_is_no_violation(table: Table) -> None:
    async def onto_nothing(interaction: Asked) -> None:
        await answer(interaction)
        table.discord.delete(table.discord.channel_messages[0])
        await interaction.edit_original_response(content="gone")

    await table.misbehaves(onto_nothing)
    assert table.bot.errors == [10008]


async def follow_up_a_promise(interaction: Asked) -> None:
    await interaction.response.defer(ephemeral=True)
    await interaction.followup.send("for all to see")


async def too_long_an_edit(interaction: Asked) -> None:
    await answer(interaction)
    await interaction.edit_original_response(content="x" * 2001)


async def no_such_file(interaction: Asked) -> None:
    embed = discord.Embed(title="chart").set_image(url="attachment://nowhere.png")
    await interaction.response.send_message(embed=embed)


async def too_large(interaction: Asked) -> None:
    await interaction.response.send_message(file=discord.File(BytesIO(bytes(10 * 2**20 + 1)), "big.bin"))


async def layout_and_embed(interaction: Asked) -> None:
    view: discord.ui.LayoutView = discord.ui.LayoutView()
    view.add_item(discord.ui.TextDisplay("text"))
    await answer(interaction)
    await interaction.edit_original_response(view=view)


async def unknown_route(interaction: Asked) -> None:
    await interaction.client.http.request(discord.http.Route("GET", "/guilds/1/bans"))


async def nothing_at_all(interaction: Asked) -> None:
    await interaction.response.send_message("")


@pytest.mark.parametrize(
    ("misdeed", "reason"),
    [
        (too_long, "data.content"),
        (too_long_an_edit, "content"),
        (no_such_file, "attachment://nowhere.png"),
        (too_large, "40005"),
        (layout_and_embed, "IS_COMPONENTS_V2 excludes"),
        (unknown_route, "nobody prepared"),
        (nothing_at_all, "50006"),
        (follow_up_a_promise, "Deprecated: edit"),
    ],
)
async def test_a_refused_request_is_a_violation(table: Table, misdeed: Misdeed, reason: str) -> None:
    with table.discord.violations.expected(reason):
        await table.misbehaves(misdeed)
    assert len(table.bot.errors) == 1


async def test_leaving_reports_every_violation() -> None:
    async def bad_evening() -> None:
        async with laid_table() as table:
            await table.misbehaves(too_long)
            await table.misbehaves(unknown_route)

    with pytest.raises(AssertionError, match=r"(?s)2 time\(s\).*data.content.*nobody prepared"):
        await bad_evening()


async def test_leaving_reports_people_without_an_answer() -> None:
    async def silence(interaction: Asked) -> None:
        pass

    async def promise(interaction: Asked) -> None:
        await interaction.response.defer()

    async def quiet_evening() -> None:
        async with laid_table() as table:
            await table.misbehaves(answer, excused=False)
            await table.misbehaves(silence, excused=False)
            await table.misbehaves(promise, excused=False)

    with pytest.raises(AssertionError, match=r'(?s)2 time\(s\).*/try -> was never answered.*was left at "thinking'):
        await quiet_evening()


async def test_an_expected_violation_must_come() -> None:
    async with FakeDiscord() as fake:
        with pytest.raises(AssertionError, match="saw: none"), fake.violations.expected("40060"):
            pass


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (6, None),  # a command has no message to update
        (7, {"content": "x"}),
        (8, {"choices": []}),
        (5, {"content": "not yet"}),
        (5, {"flags": 4}),
        (1, None),
    ],
)
async def test_callbacks_that_do_not_fit_a_command_are_refused(table: Table, kind: int, data: Json | None) -> None:
    async def wrong(interaction: Asked) -> None:
        await raw(table.discord, f"/interactions/{interaction.id}/{interaction.token}/callback", kind, data)
        await answer(interaction)

    with table.discord.violations.expected("callback"):
        await table.misbehaves(wrong)
    assert table.discord.channel_messages[0].content == "fine"


async def raw(fake: FakeDiscord, path: str, kind: int, data: Json | None) -> None:
    async with aiohttp.ClientSession() as session:
        body = {"type": kind} | ({} if data is None else {"data": data})
        async with session.post(fake.api + path, json=body) as response:
            assert response.status == 400


async def test_autocomplete_is_not_deferred_and_forms_open_no_form(table: Table) -> None:
    alice = table.discord.member("Alice")
    async with table.discord.gateway_away():
        typing = alice.begins_typing("battle", matchup="1")
        with table.discord.violations.expected("AUTOCOMPLETE"):
            await raw(table.discord, f"/interactions/{typing.id}/{typing.token}/callback", 5, None)
    shown = await alice.sends("battle", matchup="12 9")
    modal = await alice.opens(shown, "Save")
    async with table.discord.gateway_away():
        sending = alice.begins_submitting(modal, {"Name": "x"})
        form = table.discord.requests_to(CALLBACK)[-1].body["data"]
        with table.discord.violations.expected("MODAL cannot be answered with MODAL"):
            await raw(table.discord, f"/interactions/{sending.id}/{sending.token}/callback", 9, form)
    await sending.answered()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "fake.bot.token"}, 401),
        ({"Authorization": "Bot fake.bot.token", "Content-Type": "text/plain"}, 400),
        ({"Authorization": "Bot fake.bot.token", "Content-Type": "application/json"}, 200),
    ],
)
async def test_requests_without_the_right_headers_are_refused(headers: dict[str, str], status: int) -> None:
    async with FakeDiscord() as fake, aiohttp.ClientSession() as session:
        carl = fake.stranger("Carl")
        body = f'{{"recipient_id": "{carl.id}"}}'.encode()
        async with session.post(f"{fake.api}/users/@me/channels", data=body, headers=headers) as response:
            assert response.status == status
            assert response.headers["Content-Type"] == "application/json"
            assert "message" in await response.json() or status == 200
        assert len(fake.violations) == (status != 200)
        fake.violations.clear()


@pytest.mark.parametrize(
    ("name", "image", "said"),
    [
        ("a", png(1, 1), "name"),
        ("a die", png(1, 1), "name"),
        ("die", png(1, 1), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ("dice", png(1, 1) + b"\0" * 256 * 1024, "BINARY_TYPE_MAX"),
    ],
)
async def test_a_bad_emoji_is_refused(table: Table, name: str, image: bytes, said: str) -> None:
    await table.bot.create_application_emoji(name="die", image=png(1, 1))
    with table.discord.violations.expected("50035"), pytest.raises(discord.HTTPException):
        await table.bot.create_application_emoji(name=name, image=image)
    assert said in str(table.discord.requests[-1].answer)
    assert list(table.discord.emojis.names) == ["die"]


async def test_an_application_owns_two_thousand_emoji(table: Table) -> None:
    emojis = table.discord.emojis
    image = f"data:image/png;base64,{b64encode(png(1, 1)).decode()}"
    for number in range(2000):
        emojis.create(f"die_{number}", image)
    with pytest.raises(discord.HTTPException, match="30008"):
        await table.bot.create_application_emoji(name="die", image=png(1, 1))
    emojis.delete(emojis.names["die_7"])
    await table.bot.create_application_emoji(name="die", image=png(1, 1))
