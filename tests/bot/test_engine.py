"""The async solver: what is computed once, what is kept, what is refused, and what survives a lost worker."""

import asyncio
import os
import re
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.games.dice import work as dice_work
from bot.games.dice.room import ROOM
from bot.games.dice.work import CHART, Limits, compute_on_grid, draw_table, find_fraction, find_need
from bot.live.rolling import Press
from bot.live.work import roll_on, start_chance
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.work import engine as engine_module
from bot.work.engine import Engine
from bot.work.workers import LostWorkerError, WorkerProcess
from solver import Battle, BattleError, DiceChain, Odds, Pool, Ships, solve
from solver.dice.rolls import round_law
from solver.questions import read_question
from tests.helpers.bot.forked_workers import fork_workers
from tests.helpers.bot.lines import read_battle
from tests.helpers.program import LONGEST, until
from tests.helpers.solver.kernels import needs_library


class Gate:
    """Solving that waits until it is let go, and counts."""

    def __init__(self) -> None:
        self.open, self.begun = threading.Event(), threading.Event()
        self.solved: list[DiceChain] = []

    def solve(self, chain: DiceChain | Battle) -> Odds:
        if isinstance(chain, DiceChain):  # a worker that warms up solves a battle
            self.begun.set()
            self.open.wait(LONGEST)
            self.solved.append(chain)
        return solve(chain)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(dice_work, "solve", gate.solve)
    yield gate
    gate.open.set()


async def test_equal_questions_in_flight_are_one_computation(settings: Settings, gate: Gate) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        asked = [asyncio.create_task(engine.odds(Battle(12, 9))) for _ in range(50)]
        await asyncio.sleep(0)
        gate.open.set()
        answers = await asyncio.gather(*asked)
        assert len(gate.solved) == 1
        assert all(answer is answers[0] for answer in answers)


async def test_equal_battles_share_an_answer_however_they_are_written(settings: Settings, gate: Gate) -> None:
    gate.open.set()
    async with Engine(settings, ROOMS, processes=False) as engine:
        first = await engine.odds(Battle(2, 9, attack_ships=Ships(capitals=3)))
        assert await engine.odds(Battle(2, 9, Pool((8, 8)), rounds=99)) is first
        assert len(gate.solved) == 1


async def test_a_cancelled_question_leaves_the_answer_to_equal_questions(settings: Settings, gate: Gate) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        impatient, patient = (asyncio.create_task(engine.odds(Battle(12, 9))) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        gate.open.set()
        assert (await patient).attackers == 12
        assert impatient.cancelled()


async def test_the_number_of_waiting_questions_is_limited(settings: Settings, gate: Gate) -> None:
    async with Engine(replace(settings, most_waiting=2), ROOMS, processes=False) as engine:
        asked = [asyncio.create_task(engine.odds(Battle(attackers, 9))) for attackers in range(1, 4)]
        again = asyncio.create_task(engine.odds(Battle(1, 9)))
        await asyncio.sleep(0)
        with pytest.raises(UserError, match="Try again in a few seconds"):
            await asked[2]
        gate.open.set()
        assert [(await question).attackers for question in (*asked[:2], again)] == [1, 2, 1]


async def test_a_suggestion_does_not_wait_for_the_odds(settings: Settings, gate: Gate) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        assert await engine.preview(Battle(12, 9)) is None
        gate.open.set()
        assert await engine.preview(Battle(50_000, 50_000, ties="both")) is None
        assert Battle(50_000, 50_000, ties="both").chain() not in gate.solved, "what takes long is not even begun"
        odds = await engine.odds(Battle(12, 9))
        assert await engine.preview(Battle(12, 9)) is odds


async def test_suggestions_go_without_odds_while_questions_wait(
    settings: Settings, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "PREVIEW_SECONDS", 20)
    async with Engine(settings, ROOMS, processes=False) as engine:
        asked = [asyncio.create_task(engine.odds(Battle(attackers, 9))) for attackers in range(1, 20)]
        await until(gate.begun.is_set)
        assert await engine.preview(Battle(12, 12)) is None
        gate.open.set()
        await asyncio.gather(*asked)
        assert Battle(12, 12).chain() not in gate.solved
        assert await engine.preview(Battle(12, 12)) is not None


async def test_giving_up_tells_waiting_people_to_come_back(settings: Settings, gate: Gate) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        asked = [asyncio.create_task(engine.odds(Battle(attackers, 9))) for attackers in (1, 2, 3)]
        await until(gate.begun.is_set)
        engine.pool.give_up()
        for question in (*asked[1:], asyncio.create_task(engine.odds(Battle(4, 9)))):
            with pytest.raises(UserError, match="I'm restarting"):
                await question
        gate.open.set()
        assert (await asked[0]).attackers == 1, "what was begun is finished"


async def test_memory_for_answers_is_bounded(settings: Settings, gate: Gate) -> None:
    gate.open.set()
    async with Engine(replace(settings, cache=1), ROOMS, processes=False) as engine:
        for attackers in range(300, 360):
            await engine.odds(Battle(attackers, 300, rounds=None))
        await engine.odds(Battle(300, 300))
        assert len(gate.solved) == 61, "the first was let go for the later ones"


async def test_battles_too_large_are_refused_at_once(settings: Settings) -> None:
    for battle, sentence in [
        (
            Battle(300_000, 300_000, ties="both"),
            r"300000 against 300000 is too large for me. With these rules the limit is (\d+) against \1\.",
        ),
        (Battle(1_000_000, 1, value=5), "against 1"),
        (Battle(3, 1_000_000, late=True), "or 3 against"),
        (
            Battle(1000, 1000, ties="both", rounds=900),
            r"900 rounds are too many; for this battle the limit is \d+.",
        ),
        (Battle(5, 5, ties="neither", rounds=1_000_000), "1000000 rounds are too many"),
        (Battle(1_000_000, 1_000_000, value=5), "1000000 against 1000000 is too large"),
    ]:
        async with Engine(settings, ROOMS, processes=False) as engine:
            for asked in (engine.odds(battle), start_chance(engine, ROOM, battle)):
                with pytest.raises(UserError, match=sentence):
                    await asked
            assert await engine.preview(battle) is None


async def test_every_size_named_in_a_refusal_is_possible(settings: Settings) -> None:
    for line in [
        "300000 300000 ties:both",
        "1000000 1 late",
        "3 1000000 value:2",
        "300 300 icons aad,a,d,-",
        "5000 5000 ties:neither rounds:1000000",
        "1000000 9 ties:both rounds:500000",
    ]:
        battle = read_battle(line)
        async with Engine(settings, ROOMS, processes=False) as engine:
            with pytest.raises(UserError) as refusal:
                await engine.odds(battle)
            sizes = re.findall(r"(\d+) against (\d+)", refusal.value.text)[1:]
            assert sizes
            for attackers, defenders in sizes:
                possible = replace(battle, attackers=int(attackers), defenders=int(defenders), rounds=None)
                assert Limits(settings.most_work * 1_000_000).fits(possible)
                assert int(attackers) > 0
                assert int(defenders) > 0


async def test_dice_that_take_too_much_work_are_named(settings: Settings) -> None:
    async with Engine(replace(settings, most_work=10), ROOMS, processes=False) as engine:
        with pytest.raises(UserError, match="These dice can fall in too many ways"):
            await engine.odds(Battle(6, 6, Pool((8,) * 6, rerolls=6), Pool((8,) * 6)))


@pytest.mark.whole
async def test_the_largest_battle_named_in_a_refusal_is_possible(settings: Settings) -> None:
    largest = 1_000_000
    async with Engine(settings, ROOMS, processes=False) as engine:
        assert (await engine.odds(Battle(largest, largest))).error > 0
        with pytest.raises(UserError) as refusal:
            await engine.odds(Battle(5_000, 5_000, late=True))
        most = int(re.findall(r"the limit is (\d+) against", refusal.value.text)[0])
        assert (await engine.odds(Battle(most, most, late=True))).attackers == most


async def test_a_live_battle_that_would_not_end_is_refused(settings: Settings) -> None:
    stuck = Pool((6,), clamp=(3, 3))
    rare = Pool((100,), clamp=(99, 100))
    async with Engine(settings, ROOMS, processes=False) as engine:
        with pytest.raises(UserError, match="forever"):
            await start_chance(engine, ROOM, Battle(5, 5, stuck, stuck, ties="neither"))
        with pytest.raises(UserError, match=r"about \d+ rounds\. Add a limit such as `rounds:100`"):
            await start_chance(engine, ROOM, Battle(50, 50, rare, rare, ties="neither"))
        assert await start_chance(engine, ROOM, Battle(5, 5, stuck, stuck, ties="neither", rounds=7)) == 0


async def test_a_fault_of_a_computation_is_not_cached(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Engine(settings, ROOMS, processes=False) as engine:
        monkeypatch.setattr(dice_work, "solve", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await engine.odds(Battle(12, 9))
        monkeypatch.undo()
        assert (await engine.odds(Battle(12, 9))).attackers == 12


async def test_workers_that_cannot_start_are_a_sentence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: object) -> None:
        raise LostWorkerError

    monkeypatch.setattr(WorkerProcess, "run", lost)
    with pytest.raises(UserError, match="Is there memory enough"):
        async with Engine(settings, ROOMS):
            pass


async def test_a_failed_preview_is_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_work, "solve", lambda _: 1 / 0)
    monkeypatch.setattr(engine_module, "PREVIEW_SECONDS", 20)
    async with Engine(settings, ROOMS, processes=False) as engine:
        assert await engine.preview(Battle(12, 9)) is None


@needs_library
async def test_a_refusal_in_a_worker_process_reaches_the_bot(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork_workers(monkeypatch)
    slow = Battle(200_000, 3, Pool((2,)), Pool((100, 100)))
    async with Engine(replace(settings, workers=1), ROOMS) as engine:
        with pytest.raises(UserError, match=r"^I can't show that as a fraction: 600 against 600 is too large"):
            await find_fraction(engine, Battle(600, 600))
        with pytest.raises(UserError, match=r"^With these dice a battle of such armies takes too many rounds"):
            await engine.odds(slow)
        with pytest.raises(BattleError) as error:
            await compute_on_grid(engine, round_law, Battle(0, 5))
        assert (error.value.field, error.value.reason) == ("attackers", "there are no dice to roll")
        law = await compute_on_grid(engine, round_law, Battle(3, 2))
        assert law == round_law(Battle(3, 2))
        assert (await find_need(engine, Battle(12, 9), "attackers", 0.8, 12)).answer == 13
        png, chance, least = await draw_table(engine, Battle(5, 2), (1, 1), "Title", (0.5, 0.8), 0)
        assert (png[:4], chance, least[1:]) == (b"\x89PNG", 15 / 36, [(2, 3), (3, 5)])
        assert await engine.document(read_question({"game": "risk", "path": [3, 2], "attackers": 9, "exact": True}))


async def test_a_lost_worker_is_replaced(settings: Settings) -> None:
    async with Engine(replace(settings, workers=1), ROOMS) as engine:
        battle = Battle(12, 9)
        assert (await engine.draw(CHART, battle, battle, await engine.odds(battle))).startswith(b"\x89PNG")
        worker = await engine.pool.run(os.getpid)
        assert worker != os.getpid()
        os.kill(worker, signal.SIGKILL)
        assert (await engine.odds(Battle(13, 9))).attackers == 13
        assert await engine.pool.run(os.getpid) != worker
        with pytest.raises(UserError, match="failed twice"):
            await engine.pool.run(os._exit, 1)
        assert (await engine.odds(Battle(14, 9))).attackers == 14
        press = Press("12 9", "5eed" * 16, "battle", "1", "2", "1")
        *_, last = await roll_on(engine, ROOM, Battle(3, 2), [], "end", press)
        assert last.ended
