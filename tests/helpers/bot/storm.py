"""A storm of presses on live battles, and everything that has to be true of them afterwards."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import lru_cache
from itertools import count, groupby, pairwise
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import NamedTuple

import pytest
from sqlalchemy import select

from bot import charts
from bot.commands.live import frame, log_of
from bot.discord_app import frames
from bot.discord_app.client import Client
from bot.discord_app.delivery import UNSEEN, message_parts
from bot.live.fair import dice_sides
from bot.live.replay import replay, replay_turns
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.database import open_store
from bot.store.records import BattleRecord
from bot.store.tables import battles
from bot.work import engine
from bot.work.engine import Engine
from tests.fake_discord import FakeDiscord, Interaction, Modal, Person, Shown
from tests.fake_discord.board import Change
from tests.fake_discord.posts import Post
from tests.fake_discord.wire import Kind
from tests.helpers.bot.lines import check, parse
from tests.helpers.program import LONGEST, until

CALLBACK = "POST /interactions/{id}/{token}/callback"
ORIGINAL = "PATCH /webhooks/{id}/{token}/messages/@original"
CHANNEL = "PATCH /channels/{id}/messages/{message}"
MOVES = {"Roll": 8, "Roll to the end": 1, "Retreat": 1, "Real dice": 2, "Take back": 4, "Keep these losses": 8}
"""What is pressed, and how often for one another."""
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
"""A picture of one dot, where drawing is not what is tried."""


def draw_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a dot as each picture, also where a job draws it beside the odds."""
    for module in (charts, engine):
        monkeypatch.setattr(module, "draw", lambda *_: PNG)


class Seen(NamedTuple):
    """A message as everybody saw it from this moment on."""

    at: float
    change: Change
    message: int
    content: str


class Press(NamedTuple):
    """Somebody pressed a button of a battle, or sent the form it opened, when it had come to this turn."""

    asked: Interaction
    label: str
    battle: str
    turn: int


@asynccontextmanager
async def bot_on(discord: FakeDiscord, settings: Settings, goodbye: bool = True) -> AsyncIterator[Client]:
    """The bot from its start to its end, in order or not, its database opened and closed with it."""
    discord.clock.advance(frames.GAP)  # a start in a process of its own takes longer: no message changes too soon
    async with open_store(settings.store) as store, Engine(settings, ROOMS, processes=False) as engine:
        client = Client(Services(settings, engine, lambda: store, ROOMS))
        async with discord.running(client):
            yield client
            if goodbye:
                await client.finish_answers()
        await idle(client)


async def idle(client: Client) -> None:
    """Wait until nobody waits for an answer, and all that is to be shown is shown."""
    await until(lambda: not client.open_answers)


@lru_cache(10_000)
def battle_in(content: str) -> str | None:
    """The name of the battle that a message shows."""
    found = re.search(r"^-# [^`\n]+ `([a-z0-9]{8})` ·", content, re.MULTILINE)
    return found and found[1]


def hash_in(content: str) -> str:
    """The first digits of the last hash that a message shows; "" before the first roll."""
    found = re.search(r"^-# [^`\n]+ `[\w-]{43,64}` · [^`\n]+ `(\w{8})`$", content, re.MULTILINE)
    return found[1] if found else ""


def dice_for(form: Modal, chance: Random) -> str:
    """Dice for the form that asks for those of somebody's table, mostly such as fit."""
    sides = []
    for side in form.fields[0].description.split(";"):
        dice = re.findall(r"(\d+)(?: of (\d+) sides)?", side.partition("er ")[2])
        sides.append([chance.randint(1, int(size or 6)) for many, size in dice for _ in range(int(many))])
    return " vs ".join(" ".join(map(str, faces)) for faces in sides)


class Storm:
    """Who presses what, and what every message ever showed."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord = discord
        self.presses: list[Press] = []
        self.seen: list[Seen] = []
        self.open = asyncio.Event()
        self._watched: list[Interaction] = []
        discord.board.listeners.append(self._see)

    def _see(self, change: Change, post: Post) -> None:
        self.seen.append(Seen(self.discord.clock.now(), change, post.id, post.content))
        for asked in self._watched:
            asked.bell.ring()  # a frame answers all who pressed before it

    def at_edit(self, number: int, do: Callable[[], None]) -> None:
        """Do something when a message has changed so many times more, before the bot hears that it has."""
        edits = count(1)

        def see(change: Change, _: Post) -> None:
            if change == "edited" and next(edits) == number:
                do()

        self.discord.board.listeners.append(see)

    def shows(self, battle: str) -> Shown:
        """The message in which a battle stands, which is there."""
        shown = self.message_of(battle)
        assert shown is not None
        return shown

    def message_of(self, battle: str) -> Shown | None:
        """The message in which a battle stands: the newest, as others were deleted."""
        posts = self.discord.board.posts
        mine = [seen.message for seen in self.seen if seen.message in posts and battle_in(seen.content) == battle]
        return posts[max(mine)].shown() if mine else None

    def lose(self) -> None:
        """Whatever is not answered by now never reached the bot, or died with it."""
        for press in self.presses:
            if press.asked.result is None:
                press.asked.excused = True
                press.asked.bell.ring()

    async def blows(self, presses: int, fights: Collection[asyncio.Task[None]]) -> None:
        """Let people press until so many more presses were answered; stop them then, wherever the bot is.

        If all fights end before, there is nothing more to press.
        """
        before = [press for press in self.presses if not self._is_answered(press)]
        new = len(self.presses)

        def answered() -> int:
            return sum(map(self._is_answered, (*before, *self.presses[new:])))

        self.open.set()
        await until(lambda: answered() >= presses or all(fight.done() for fight in fights))
        self.open.clear()

    def _is_answered(self, press: Press) -> bool:
        return press.asked.is_seen or bool(press.asked.followups)

    def press(self, person: Person, shown: Shown, label: str, late: float = 0) -> Press:
        """Press a button."""
        action = self.discord.board.posts[shown.id].shown().button(label).custom_id
        return self.note(person.begins_pressing(shown, label, late=late), label, action)

    def note(self, asked: Interaction, label: str, action: str) -> Press:
        """Note that a button of a battle was pressed, or the form it opened was sent."""
        _, _, battle, turn = action.split(":")
        self.presses.append(Press(asked, label, battle, int(turn)))
        return self.presses[-1]

    def press_late(self, person: Person, before: Post) -> Press:
        """Press what the screen of this person showed before, and Discord too when it took the press."""
        label = next(label for label in before.shown().labels if label in MOVES)
        action = before.shown().button(label).custom_id
        data = {"component_type": 2, "custom_id": action, "id": 1}
        asked = self.discord.desk.begin(
            Kind.COMPONENT, person.user, person.channel, data, "pressed late", source=before
        )
        return self.note(asked, label, action)

    async def fight(self, number: int, shown: Shown, people: list[Person], stranger: Person, moves: int) -> None:
        """Press this and that, alone, at once and too late, until the battle is over or it is enough."""
        chance, battle = Random(number), battle_in(shown.content) or ""
        before = replace(self.discord.board.posts[shown.id])
        for _ in range(moves):
            await self.open.wait()
            now = self.message_of(battle)
            labels = [button.label for button in now.buttons if button.label in MOVES] if now else []
            labels = [label for label in labels if now and not now.button(label).disabled]
            if not (now and labels):
                return
            label = chance.choices(labels, [MOVES[label] for label in labels])[0]
            pressed = [self.press(chance.choice(people), now, label)]
            if chance.random() < 0.3:
                pressed.append(self.press(chance.choice(people), now, labels[0]))
            if chance.random() < 0.1:
                pressed.append(self.press(stranger, now, labels[0]))
            if chance.random() < 0.1:
                pressed.append(self.press_late(chance.choice(people), before))
            before = replace(self.discord.board.posts[now.id])
            if chance.random() < 0.02:
                self.discord.delete(now)
            if label == "Real dice":
                pressed += [await self._typed(pressed[0], chance)]
            for press in pressed:
                await self.heard(press)
            if chance.random() < 0.7:  # most see what fell before they press again
                await self.seen_by(pressed[0])
            await asyncio.sleep(chance.random() / 2)

    async def heard(self, press: Press) -> None:
        """Wait until the bot has answered in some way, or never will."""
        asked = press.asked
        await asked.bell.until(
            lambda: asked.response is not None or asked.excused, within=LONGEST, otherwise=lambda: f"not heard: {asked}"
        )

    async def seen_by(self, press: Press) -> None:
        """Wait until whoever pressed sees what came of it, or never will."""
        asked = press.asked
        self._watched.append(asked)
        await asked.bell.until(
            lambda: asked.is_seen or asked.followups or asked.excused,
            within=LONGEST,
            otherwise=lambda: f"not seen: {asked}",
        )
        self._watched.remove(asked)

    async def _typed(self, press: Press, chance: Random) -> Press:
        """Fill in the form that a press has opened, mostly well; where none came, that press again."""
        await self.heard(press)
        if not press.asked.result or isinstance(press.asked.result, Post | list):
            return press
        form = press.asked.result
        await self.open.wait()  # the bot may have been restarted while the form was filled in
        text = dice_for(form, chance)
        person = Person(self.discord, press.asked.user, press.asked.channel)
        return self.note(person.begins_submitting(form, {"dice": text}), "typed", form.custom_id)

    # Afterwards

    async def check(self, services: Services) -> list[BattleRecord]:
        """Check all battles against what was pressed, what was said and what was shown; they are returned."""
        records = await self.check_battles(services)
        self._check_pace()
        return records

    async def check_battles(self, services: Services) -> list[BattleRecord]:
        """The same, but for the time between two changes of a message, of which two processes know nothing."""
        async with services.store.battles._connections.read() as connection:
            names = (await connection.execute(select(battles.c.id).order_by(battles.c.id))).scalars().all()
        records = [record for name in names if (record := await services.store.battles.find(name))]
        for record in records:
            check_log(record, services.settings)
            self._check_presses(record)
        self._check_shown(records)
        await check_faces(records, services)
        return records

    def _check_presses(self, record: BattleRecord) -> None:
        """Each press added one round, or all that were left, or one retreat, or one throw of typed dice, or nothing."""
        log = [json.loads(roll.entry) for roll in record.rolls]
        battle = parse(record.battle.line).battle
        game = ROOMS.of(battle).game
        fights, choices = [step.fight for step in replay(game, battle, log)][1:], game.choices
        mine = {str(press.asked.id): press for press in self.presses if press.battle == record.battle.id}
        rolled = [(asked, list(group)) for asked, group in groupby(log, lambda entry: str(entry["interaction"]))]
        assert len({asked for asked, _ in rolled}) == len(rolled), "a press rolled twice"
        for asked, entries in rolled:
            if asked not in mine:
                continue  # rolled to the end at once
            assert entries[0]["n"] == mine[asked].turn + 1, "a press rolled what nobody had seen coming"
            label, after = mine[asked].label, [fights[entry["n"] - 1] for entry in entries]
            rests = sum(fight.resting or fight.ended is not None for fight in after)
            here, turns = replay_turns(
                game, battle, log[: entries[-1]["n"]], record.rights, record.battle.message or ""
            )
            waits = bool(turns and turns.tags[turns.turn(here)] != entries[-1]["user"])  # for the other player
            if label == "Roll":
                assert rests == 1 or (rests == 0 and waits)
                assert after[-1].resting or after[-1].ended or waits
            due = choices is not None and choices.due(after[-1])  # before an end that chosen losses can change
            assert label != "Roll to the end" or after[-1].ended or due or waits
            assert label not in ("Retreat", "typed", "Take back") or len(entries) == 1
            assert label != "Real dice", "a form that opens rolls nothing"
        for name, press in mine.items():
            self._check_told(press, [asked for asked, _ in rolled].count(name))

    def _check_told(self, press: Press, rolled: int) -> None:
        """Who was told that nothing was rolled, or nothing at all, was told the truth."""
        asked = press.asked
        said = [s.content for s in asked.followups]
        if isinstance(asked.result, Post):
            said.append(asked.result.content)
        words = [text for text in said if text and battle_in(text) is None]
        assert not any("Something went wrong" in text for text in words)
        if UNSEEN in words:
            return  # what fell, by this press or by one before
        if words:
            assert not rolled, f"{asked} rolled, and yet was told {words}"
        elif asked.response and not asked.excused and press.label not in ("Real dice", "Keep these losses"):
            # To keep the losses twice changes nothing, and the message says that they are kept.
            assert rolled, f"{asked} rolled nothing, and was not told why"

    def _check_shown(self, records: list[BattleRecord]) -> None:
        """Nothing was ever shown that is not in the log."""
        known = {record.battle.id: {"", *(roll.hash[:8] for roll in record.rolls)} for record in records}
        for seen in self.seen:
            battle = battle_in(seen.content)
            assert battle is None or hash_in(seen.content) in known[battle]

    def _check_pace(self) -> None:
        """No message had two frames within the gap; how far an answer is may come right before one."""
        edits = sorted((s.message, s.at) for s in self.seen if s.change == "edited" and battle_in(s.content))
        for (one, before), (other, after) in pairwise(edits):
            assert one != other or after - before >= frames.GAP, f"{after - before:.3f} s between two changes"

    async def behind(self, records: list[BattleRecord], services: Services) -> list[Shown]:
        """The messages that do not show how their battle stands."""
        found = []
        for record in records:
            shown = self.message_of(record.battle.id)
            if shown and _without_question(shown.content) not in await _contents(record, services, shown.private):
                found.append(shown)
        return found


def _without_question(content: str) -> str:
    """What a message says beside the question to the opponent, which only the first frame has."""
    return re.sub(r"\n-# <@\d+>, .*", "", content)


async def _contents(record: BattleRecord, services: Services, private: bool) -> list[str]:
    """What the message of a battle may say as it stands.

    In a rush, or when the bot leaves, an end is shown without its place among all such battles: the second half of
    what it says of luck.
    """
    whole = await frame(record, services, private)
    hurried = replace(whole, facts=tuple(fact.partition(" · ")[0] for fact in whole.facts))
    return [message_parts(reply)["content"] for reply in (whole, hurried)]


def check_log(record: BattleRecord, settings: Settings) -> None:
    """The log is numbered without gaps, its chain and its dice are right, and the rules lead to it."""
    assert [roll.n for roll in record.rolls] == list(range(1, record.battle.turn + 1))
    assert [json.loads(roll.entry)["n"] for roll in record.rolls] == [roll.n for roll in record.rolls]
    assert check(log_of(record), most_work=settings.most_work * 1_000_000) == []
    if record.rolls:
        assert record.battle.head == record.rolls[-1].hash


async def check_faces(records: list[BattleRecord], services: Services) -> None:
    """The audit counts each face of each fair die that is in a log, and nothing else."""
    counted: dict[str, Counter[tuple[int, int]]] = {}
    for record in records:
        for entry in (json.loads(roll.entry) for roll in record.rolls):
            dice = [] if entry.get("real") else zip(entry["dice"], (entry["attack"], entry["defence"]), strict=True)
            for words, faces in dice:
                counted.setdefault(record.battle.place, Counter()).update(zip(dice_sides(words), faces, strict=True))
    for place, faces in counted.items():
        audit = await services.store.battles.faces(place)
        assert {(sides, face): n for sides, row in audit.items() for face, n in row.items()} == faces


def unshown(database: Path) -> list[str]:
    """The battles that the bot has yet to show and can show by itself, as another program finds them."""
    ours = "shown_in IS NOT NULL AND channel IS NOT NULL"
    with closing(connect(f"file:{database}?mode=ro", uri=True)) as open_database:
        return [name for (name,) in open_database.execute(f"SELECT id FROM battles WHERE shown < turn AND {ours}")]


def database_of(settings: Settings) -> Path:
    """Where the battles are."""
    return settings.data / "sandtable.db"
