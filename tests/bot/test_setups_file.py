"""Files of set-ups, whatever is in them: read or refused with a sentence, and taken in whole or not at all."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.commands.run import run
from bot.commands.transfer import Entry, read_setups, setups_file, text_of
from bot.discord_app.delivery import message_parts
from bot.errors import UserError
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.presets import LONGEST_NAME, LONGEST_NOTE, read_name, read_note
from bot.replies import IMPORT, Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.store.database import open_store
from bot.store.records import Setup
from bot.work.engine import Engine
from tests.helpers.bot.any_line import army_lines, sensible, wild
from tests.helpers.bot.lines import parse, write
from tests.helpers.extent import examples

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FEW = 4
"""How many set-ups may be kept where a limit is to be met."""

any_text = st.text(max_size=60) | wild | st.text("`*_~|<>@#[]()\\\n\t\u202e\u200b\ud800 x", max_size=30)
plain_json = st.none() | st.booleans() | st.integers() | st.floats() | any_text
any_json = st.recursive(
    plain_json, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner), max_leaves=8
)
names = st.sampled_from(["alamo", "ALAMO", "ａｌａｍｏ", " alamo?", "kiev", "köln", "KO\u0308LN", "rio-2", "москва"])
wrong_names = st.sampled_from(["x", "stop", "12", "inf", "@everyone", "a b", "a" * 33, "", "\ud800"]) | any_text
lines = st.sampled_from(["12 9", "12v9", "3 2 stop:1", "3 inf vs 2 inf", "20 > 5 > 4 leave:1"])
wrong_lines = st.sampled_from(["", "alamo", "12 9 stp:3", "5 bom vs 20", "12 9 || stop:3", "9" * 400]) | any_text
notes = st.sampled_from(["", "the last stand", "two\nlines", "`ticks`", "😀" * 50])
good = st.builds(lambda name, line, note: {"name": name, "line": line, "note": note}, names, lines, notes)
odd = st.builds(
    lambda name, line, note: {"name": name, "line": line, "note": note},
    names | wrong_names,
    lines | wrong_lines | sensible | army_lines,
    notes | st.text(max_size=250),
)
entries = odd | st.dictionaries(st.sampled_from(["name", "line", "note", "owner"]), any_text) | any_json
files = st.builds(
    lambda kind, version, setups: {"sandtable": kind, "version": version, "setups": setups},
    st.just("setups") | any_json,
    st.sampled_from([1, 1, 1, 1.0, True, 2, "1", None]),
    st.lists(entries, max_size=5) | any_json,
)
texts = st.builds(json.dumps, files | any_json, ensure_ascii=st.booleans()) | st.text()
SETTINGS = load()


@examples(100)
@given(texts)
@example("[" * 100_000)
@example('{"sandtable": "setups", "version": 1, "setups": [' + "9" * 10_000 + "]}")
@example('{"sandtable": "setups", "version": 1, "setups": [NaN, 1e999, -0]}')
@example("\ufeff" + setups_file([Entry("alamo", "12 9")]).text)
@example(json.dumps({"sandtable": "setups", "version": 1, "setups": [{"name": "a\ud800b", "line": "1 1\ud800"}]}))
def test_a_file_of_presets_is_read_whole_or_refused_in_a_sentence(text: str) -> None:
    try:
        found = read_setups(ROOMS, text, SETTINGS)
    except UserError as error:
        assert error.text.endswith((".", "`", "?", "…"))  # noqa: PT017
        assert len(error.text) < 1_000  # noqa: PT017
        return
    assert len({entry.name for entry in found}) == len(found)
    for entry in found:
        assert entry == Entry(read_name(ROOMS, entry.name), write(parse(entry.line).battle), read_note(entry.note))
    written = setups_file(found).text
    assert read_setups(ROOMS, written, SETTINGS) == found
    assert text_of(written.encode()) == written


@examples(40)
@given(st.binary() | texts.map(lambda text: text.encode(errors="surrogatepass")))
def test_bytes_of_a_file_are_text_or_refused(data: bytes) -> None:
    try:
        assert text_of(data).encode() == data.removeprefix(b"\xef\xbb\xbf")
    except UserError as error:
        assert "it isn't UTF-8 text" in error.text  # noqa: PT017


@given(any_text | st.text())
def test_imported_names_and_notes_are_safe_to_show(text: str) -> None:
    """Names and notes only stand between back-ticks, where nothing is markup but another back-tick or a line's end."""
    for check, longest in ((partial(read_name, ROOMS), LONGEST_NAME), (read_note, LONGEST_NOTE)):
        try:
            shown = check(text)
        except UserError:
            continue
        assert len(shown) <= longest
        assert "`" not in shown
        assert len(shown.splitlines()) <= 1
        assert shown == shown.strip()
        shown.encode()  # no halves of letters, which no file and no database takes
        assert check(shown) == shown
        if check is not read_note:
            assert not set(shown) & set(" @*~|<>[]()#\\/:.,")


# Taken in, beside a slow twin ------------------------------------------------------------------------------


class Kept(NamedTuple):
    """What a place has under a name."""

    line: str
    note: str
    owner: str


Place = dict[str, Kept]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Services]]:
    """Services for all examples, each of which has a place of its own."""
    own = load(data=tmp_path_factory.mktemp("data"), most_setups=FEW)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        store = runner.run(stack.enter_async_context(open_store(own.data / "sandtable.db")))
        yield runner, Services(own, Engine(own, ROOMS, processes=False), lambda: store, ROOMS)
        runner.run(stack.aclose())


def expected(here: Place, setups: list[dict[str, Any]], user: str, manages: bool, replaces: bool) -> Place:
    """What a place has after an import, one set-up after the other; what it had where one of them cannot be."""
    after: Place = dict(here)
    seen = set()
    for one in setups:
        try:
            name, line, note = (
                read_name(ROOMS, one["name"]),
                write(parse(one["line"]).battle),
                read_note(one["note"]),
            )
        except (UserError, MatchupError):
            return here
        if name in seen:
            return here
        seen.add(name)
        if name not in here:
            after[name] = Kept(line, note, user)
        elif replaces and here[name][:2] != (line, note):
            if here[name].owner != user and not manages:
                return here
            after[name] = Kept(line, note, here[name].owner)
    too_many = len(setups) > FEW or (len(after) > FEW and len(after) > len(here))
    return here if too_many else after


PLACES = count()

here_before = st.dictionaries(
    st.sampled_from(["alamo", "kiev", "köln", "rio-2"]),
    st.builds(Kept, lines.map(lambda line: write(parse(line).battle)), notes.map(read_note), st.sampled_from("12")),
    max_size=FEW,
)


@examples(80)
@given(
    here_before,
    st.lists(good, max_size=4, unique_by=lambda one: normal(one["name"])) | st.lists(good | odd, max_size=5),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "", "delete", "change"]),
)
def test_an_import_of_any_file_is_done_whole_or_not_at_all(
    table: tuple[asyncio.Runner, Services],
    here: Place,
    setups: list[dict[str, Any]],
    manages: bool,
    replaces: bool,
    meanwhile: str,
) -> None:
    runner, services = table
    place = f"guild:{next(PLACES)}"

    async def now() -> Place:
        return {one.name: Kept(one.line, one.note, one.owner) for one in await services.store.setups(place)}

    async def ask(request: Request) -> Reply:
        reply = await run(request, services)
        assert isinstance(reply, Reply)
        assert "Something went wrong" not in reply.text
        assert len(message_parts(reply)["content"]) <= 2000
        return reply

    async def story() -> None:
        rows = [Setup(name, kept.line, kept.owner, "Somebody", NOON, kept.note) for name, kept in here.items()]
        await services.store.put_all(place, [], rows)
        text = json.dumps({"sandtable": "setups", "version": 1, "setups": setups})
        options = {"file": text} | ({"replace": "yes"} if replaces else {})
        asked = Request("preset import", "1", "Alice", place, options, manages)
        shown = await ask(asked)
        assert await now() == here, "to look changes nothing"
        after = expected(here, setups, "1", manages, replaces)
        assert bool(shown.buttons) is (after != here)
        if not shown.buttons:
            return
        if meanwhile and here:
            name = sorted(here)[0]
            await services.store.delete(place, name, "", True)
            if meanwhile == "change":
                await services.store.put_all(place, await services.store.setups(place), [rows[0]._replace(line="7 7")])
        between = await now()
        assert shown.file, "the button reads the file of its message"
        pressed = replace(asked, command=IMPORT, argument=shown.buttons[0].argument, options={"file": shown.file.text})
        done = (await ask(pressed)).text.startswith("Imported")
        assert done or between != here
        assert await now() == (expected(between, setups, "1", manages, replaces) if done else between)

    runner.run(story())
