"""The private names of discord.py and aiohttp that the bot uses: each is named here, and still there in the library."""

import ast
import inspect
import re
from pathlib import Path

import aiohttp
import discord
import pytest
from discord.app_commands import CommandTree
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import HTTPClient
from discord.shard import ShardInfo

import bot.discord_app

pytestmark = pytest.mark.texts
PRIVATE: dict[str, type] = {
    "_HTTPClient__session": HTTPClient,
    "_call": CommandTree,
    "_connection": discord.Client,
    "_keep_alive": DiscordWebSocket,
    "_last_recv": KeepAliveHandler,
    "_middlewares": aiohttp.ClientSession,
    "_parent": ShardInfo,
    "_response_type": discord.InteractionResponse,
    "_roles": discord.Member,
}
"""Whose they are. A new release of a library may take one away: then look for what the bot does with it."""


def test_the_bot_uses_no_private_name_of_a_library_but_these() -> None:
    trees = [ast.parse(file.read_text()) for file in Path(bot.discord_app.__file__).parent.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    parts = [part for node in nodes if isinstance(node, ast.ClassDef) for part in node.body]
    own = {part.name for part in parts if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)}
    own |= {ast.unparse(part.target) for part in parts if isinstance(part, ast.AnnAssign)}
    own |= {node.attr for node in attributes if isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"}
    own -= {node.attr for node in attributes if ast.unparse(node.value) == "super()"}
    used = {node.attr for node in attributes if node.attr.startswith("_")}
    assert {name for name in used - own if not name.startswith("__")} == set(PRIVATE)


def test_the_libraries_have_these_private_names() -> None:
    for name, owner in PRIVATE.items():
        assert re.search(rf"\b{name.removeprefix(f'_{owner.__name__}')}\b", inspect.getsource(owner)), name
