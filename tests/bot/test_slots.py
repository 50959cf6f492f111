"""Slots: how many questions are handled at the same moment, and whose."""

import asyncio

import pytest

from bot.work.limits import SLOTS, SLOTS_EACH, Slots, leave_slot


class Question:
    """A question that is handled until it is let go, and may wait for a worker in between."""

    def __init__(self, slots: Slots, person: str) -> None:
        self.begun, self.at_work, self.back = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._go, self._answer = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._ask(slots, person))

    async def _ask(self, slots: Slots, person: str) -> None:
        async with slots.slot(person):
            self.begun.set()
            await self._go.wait()
            async with leave_slot():
                self.at_work.set()
                await self._answer.wait()
            self.back.set()

    async def to_a_worker(self) -> None:
        self._go.set()
        await self.at_work.wait()

    async def end(self) -> None:
        self._go.set()
        self._answer.set()
        await self.task


async def settle() -> None:
    """Let everybody do what can be done now."""
    for _ in range(20):
        await asyncio.sleep(0)


def begun(questions: list[Question]) -> int:
    return sum(question.begun.is_set() for question in questions)


async def ended(questions: list[Question]) -> None:
    await asyncio.gather(*(question.end() for question in questions))


async def test_a_person_has_two_slots_and_other_people_need_not_wait() -> None:
    slots = Slots()
    alices = [Question(slots, "alice") for _ in range(50)]
    await settle()
    assert (begun(alices), slots.is_full("alice"), slots.is_full("bob")) == (SLOTS_EACH, True, False)
    bob = Question(slots, "bob")
    await settle()
    assert bob.begun.is_set()
    await ended([bob, *alices])
    assert not slots.is_full("alice")


async def test_slots_for_all_people_are_limited_and_given_in_order() -> None:
    slots = Slots()
    crowd = [Question(slots, f"person {number}") for number in range(SLOTS + 5)]
    await settle()
    assert [question.begun.is_set() for question in crowd] == [True] * SLOTS + [False] * 5
    await crowd[0].to_a_worker()
    await settle()
    assert [question.begun.is_set() for question in crowd[SLOTS:]] == [True] + [False] * 4
    await ended(crowd)


async def test_a_question_with_a_worker_frees_its_slot() -> None:
    slots = Slots()
    alices = [Question(slots, "alice") for _ in range(SLOTS_EACH + 1)]
    await settle()
    assert begun(alices) == SLOTS_EACH
    await alices[0].to_a_worker()
    await settle()
    assert begun(alices) == SLOTS_EACH + 1
    await ended(alices)


@pytest.mark.parametrize("where", ["waits for a slot", "is handled", "is with a worker", "comes back"])
async def test_a_cancelled_question_frees_its_slot(where: str) -> None:
    slots = Slots()
    first = [Question(slots, "alice") for _ in range(SLOTS_EACH)]
    await settle()
    gone = Question(slots, "alice") if where == "waits for a slot" else first.pop()
    if where in ("is with a worker", "comes back"):
        await gone.to_a_worker()
    if where == "comes back":
        first.append(Question(slots, "alice"))  # takes the slot, so that who comes back has to wait
        gone._answer.set()
    await settle()
    gone.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone.task
    await ended(first)
    again = [Question(slots, "alice") for _ in range(SLOTS_EACH + 1)]
    await settle()
    assert begun(again) == SLOTS_EACH
    await ended(again)


async def test_leaving_a_slot_without_having_one_does_nothing() -> None:
    async with leave_slot():
        pass
