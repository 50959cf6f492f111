"""Discord's limits, by our own reckoning and by its own description."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.helpers.cases import each

from .command_limits import command_problems
from .limits import callback_problems, message_problems
from .openapi import oracle
from .stand_in import FakeDiscord
from .tiny_bot import Bot, Table, png, too_long
from .wire import Json

CALLBACK = "POST /interactions/{id}/{token}/callback"


def row(*labels: str) -> Json:
    return {"type": 1, "components": [{"type": 2, "style": 2, "label": x, "custom_id": x} for x in labels]}


@each(
    [
        {"content": "x" * 2001},
        {"embeds": [{"description": "x" * 4097}]},
        {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]},
        {"embeds": [{"title": "x" * 257}]},
        {"embeds": [{"fields": [{"name": "x", "value": "x"}] * 26}]},
        {"components": [row("a")] * 2},
        {"components": [row(str(n)) for n in range(6)]},
        {"components": [row(*"abcdef")]},
        {"components": [row("x" * 81)]},
        {"components": [{"type": 2, "style": 2, "label": "x", "custom_id": "x"}]},
        {"components": [{"type": 1, "components": [{"type": 2, "style": 2, "custom_id": "x"}]}]},
        {"components": [{"type": 1, "components": [{"type": 2, "style": 5, "label": "x", "custom_id": "x"}]}]},
        {"components": [{"type": 10, "content": "text"}]},
        {"components": [{"type": 10, "content": "text"}], "flags": 1 << 15, "content": "x"},
        {"components": [{"type": 10, "content": "t"}] * 41, "flags": 1 << 15},
        {"components": [{"type": 10, "content": "t" * 2001}] * 2, "flags": 1 << 15},
        {"components": [{"type": 1, "components": [{"type": 3, "custom_id": "x", "options": []}]}]},
        {"poll": {"question": "?"}},
    ]
)
def test_messages_above_a_limit_are_refused(body: Json) -> None:
    assert message_problems(body)


def test_a_message_within_its_limits() -> None:
    rows = [row(*(f"{line}{place}" for place in range(5))) for line in range(5)]
    embeds = [{"description": "x" * 3000}, {"description": "x" * 3000}]
    assert message_problems({"content": "x" * 2000, "embeds": embeds, "components": rows}) == []
    layout = [{"type": 17, "components": [{"type": 10, "content": "t"}] * 39}]
    assert message_problems({"components": layout, "flags": 1 << 15}) == []


@each(
    [
        (8, {"choices": [{"name": "x", "value": "x"}] * 26}),
        (8, {"choices": [{"name": "x" * 101, "value": "x"}]}),
        (8, {"choices": [{"name": "", "value": "x"}]}),
        (8, {"choices": [{"name": "x", "value": "x" * 101}]}),
        (9, {"title": "x" * 46, "custom_id": "x", "components": [{"type": 10, "content": "x"}]}),
        (9, {"title": "x", "custom_id": "x", "components": []}),
        (9, {"title": "x", "custom_id": "x" * 101, "components": [{"type": 10, "content": "x"}]}),
    ]
)
def test_callbacks_above_a_limit_are_refused(kind: int, data: Json) -> None:
    assert callback_problems({"type": kind, "data": data})


def radios(*options: Json) -> Json:
    """A form in which one of these is chosen."""
    group = {"type": 21, "custom_id": "x", "options": list(options)}
    return {"title": "x", "custom_id": "f", "components": [{"type": 18, "label": "Which", "component": group}]}


def offer(value: str, **more: Any) -> Json:
    return {"label": "x", "value": value} | more


@each(
    [
        radios(offer("a")),
        radios(*(offer(str(number)) for number in range(11))),
        radios(offer("a"), offer("a")),
        radios(offer("a", default=True), offer("b", default=True)),
        radios(offer("a", description="x" * 101), offer("b")),
    ]
)
def test_limits_of_buttons_to_choose_from(form: Json) -> None:
    assert callback_problems({"type": 9, "data": form})


def test_buttons_to_choose_from_within_their_limits() -> None:
    form = radios(*(offer(str(number), default=number == 3) for number in range(10)))
    assert callback_problems({"type": 9, "data": form}) == []


def command(**changes: Any) -> Json:
    return {"name": "battle", "description": "Odds", "options": [option()]} | changes


def option(**changes: Any) -> Json:
    return {"type": 3, "name": "matchup", "description": "Who", "required": True} | changes


LONG_CHOICES = [{"name": f"{number:100}", "value": "x" * 100} for number in range(25)]


@each(
    [
        [command(name="Battle")],
        [command(name="two words")],
        [command(name="x" * 33)],
        [command(description="x" * 101)],
        [command(description="")],
        [command(), command()],
        [command(options=[option(required=False), option(name="b")])],
        [command(options=[option(), option()])],
        [command(options=[option(name=f"o{n}") for n in range(26)])],
        [command(options=[option(autocomplete=True, choices=[{"name": "x", "value": "x"}])])],
        [command(options=[option(choices=[{"name": "x", "value": "x"}] * 26)])],
        [command(options=[option(choices=[{"name": "x", "value": "x" * 101}])])],
        [command(options=[option(), {"type": 1, "name": "sub", "description": "x"}])],
        [command(options=[option(name=f"o{n}", choices=LONG_CHOICES) for n in range(2)])],
        [command(description_localizations={"de": "x" * 101})],
        [{"type": 3, "name": f"menu {n}"} for n in range(16)],
        [{"type": 3, "name": "menu", "description": "x"}],
    ]
)
def test_commands_above_a_limit_are_refused(commands: list[Json]) -> None:
    assert command_problems(commands)


def test_commands_within_their_limits() -> None:
    names = ["schlacht", "ñandú", "戦い", "ยุทธ์", "लड़ाई", "it's_a-test"]
    menus = [{"type": 3, "name": f"Menu {n}"} for n in range(15)]
    assert command_problems([*(command(name=name) for name in names), *menus]) == []


async def test_limits_hold_without_the_description() -> None:
    async with FakeDiscord(openapi=False) as fake:
        bot = Bot()
        async with fake.running(bot):
            with fake.violations.expected("Must be between 0 and 2000 in length, has 2001."):
                await Table(fake, bot).misbehaves(too_long)


needs_description = pytest.mark.skipif(
    oracle() is None, reason="../shared/discord-openapi.json is not beside the checkout"
)
CALLBACK_PATH = "/interactions/{interaction_id}/{interaction_token}/callback"
COMMANDS_PATH = "/applications/{application_id}/commands"


@needs_description
@pytest.mark.parametrize(
    ("method", "path", "good", "bad"),
    [
        ("PUT", COMMANDS_PATH, [command()], [command(description="x" * 101)]),
        (
            "POST",
            CALLBACK_PATH,
            {"type": 8, "data": {"choices": []}},
            {"type": 8, "data": {"choices": [{"name": "x" * 101, "value": "x"}]}},
        ),
        ("POST", CALLBACK_PATH, {"type": 5}, {"type": 8, "data": {"choices": [{"name": "x", "value": "x"}] * 26}}),
        (
            "POST",
            CALLBACK_PATH,
            {"type": 4, "data": {"embeds": []}},
            {"type": 4, "data": {"embeds": [{"fields": [{"name": "x", "value": "x"}] * 26}]}},
        ),
        (
            "POST",
            CALLBACK_PATH,
            {"type": 7, "data": {}},
            {"type": 4, "data": {"embeds": [{"description": "x" * 4097}]}},
        ),
        ("POST", CALLBACK_PATH, {"type": 4, "data": {"content": "x"}}, {"type": 4, "data": {"content": "x" * 2001}}),
        (
            "POST",
            CALLBACK_PATH,
            {"type": 4, "data": {"components": [row("x" * 80)]}},
            {"type": 4, "data": {"components": [row("x" * 81)]}},
        ),
        (
            "POST",
            CALLBACK_PATH,
            {"type": 4, "data": {"attachments": [{"id": 0}]}},
            {"type": 4, "data": {"attachments": [{"id": None}]}},
        ),
    ],
)
def test_discords_description_refuses_bad_bodies(method: str, path: str, good: Any, bad: Any) -> None:
    judge = oracle()
    assert judge is not None
    assert judge.request_problems(method, path, good) == []
    assert judge.request_problems(method, path, bad)


@needs_description
async def test_the_stand_in_answers_as_described(table: Table) -> None:
    judge = oracle()
    assert judge is not None
    alice = table.discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    for label in ("Roll it", "Swap sides", "Tell me"):
        await alice.presses(shown, label)
    await alice.opens(shown, "Save")
    await alice.types("battle", matchup="12 9")
    await alice.says("@bot 12 9")
    table.bot.may_go_on.set()
    await alice.sends("slow")
    await table.bot.tree.fetch_commands()
    await table.bot.fetch_channel(table.discord.guild.channel.id)
    await table.bot.get_partial_messageable(shown.channel_id).get_partial_message(shown.id).edit(content="edited")
    user = await table.bot.application_info()
    await table.bot.create_dm(discord.Object(user.owner.id))
    emoji = await table.bot.create_application_emoji(name="die", image=png(1, 1))
    assert [str(known) for known in await table.bot.fetch_application_emojis()] == [str(emoji)]
    await emoji.delete()
    described = {(request.method, request.route) for request in table.discord.requests}
    assert len(described) == 14
    for request in table.discord.requests:
        problems = judge.answer_problems(request.method, request.route, request.answer, str(request.status))
        assert problems == [], str(request)


@needs_description
async def test_errors_come_as_described(table: Table) -> None:
    with table.discord.violations.expected("data.content"):
        await table.misbehaves(too_long)
    refused = table.discord.requests_to(CALLBACK)[-1]
    errors = refused.answer["errors"]["data"]["content"]["_errors"]
    assert (refused.status, refused.answer["code"]) == (400, 50035)
    assert "too long" in errors[0]["message"]
