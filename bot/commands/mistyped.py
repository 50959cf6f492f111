"""Marks battles in which somebody mistyped real dice: they count for no luck and stand in no list, but their log stays.

The button asks back, and a second one marks the battle, ended or not, whatever others press meanwhile.
"""

from datetime import UTC, datetime

from bot.commands.choosing import button_battle, find, presser
from bot.commands.live import frame, is_kept, line_below
from bot.commands.presses import MARKED, has_counted, hashed_rolls, press_of
from bot.commands.rights import Position, check_marking, position_of
from bot.errors import UserError
from bot.languages import N_, _
from bot.live.fair import typed_rolls
from bot.live.rolling import NO_DICE, NewEntry
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord

QUESTION = N_("Leave this battle out of luck and lists? Its log stays and says that you did. This can't be undone.")
QUESTION_OF_OPEN = N_(
    "End this battle and leave it out of luck and lists? Its log stays and says that you did. This can't be undone."
)
DONE = N_("Done: this battle no longer counts for luck, and lists leave it out.")
NOT_TYPED = N_("Only a battle with typed dice that were not taken back can be marked as mistyped.")


async def ask(request: Request, services: Services) -> Reply:
    """Ask whether a battle is to be marked, with the button that does it."""
    record, _turn = await button_battle(request, services)
    await _check(record, request, services)
    return Reply(
        _(QUESTION if record.battle.ended else QUESTION_OF_OPEN),
        note=_("battle `{battle}`", battle=record.battle.id),
        line=line_below(record.battle, services.rooms),
        buttons=(Button(_("Mark as mistyped"), "mistyped", argument=record.battle.id),),
        private=True,
    )


async def confirm(request: Request, services: Services) -> Reply:
    """Mark a battle, and say so where the question was, or show it there if its own message is that of the person."""
    record, _turn = await button_battle(request, services)
    marked = await mark(record, request, services)
    if request.private and marked.battle.channel:
        return Reply(_(DONE), private=True)
    return await frame(marked, services, request.private)


async def mark(record: BattleRecord, request: Request, services: Services) -> BattleRecord:
    """Mark a battle as mistyped, and return it; UserError if this person may not, or somebody has marked it."""
    while not has_counted(record, request):
        fought, who = record.battle, presser(record, request)
        here, by_moderator = await _check(record, request, services)
        entry = {"n": fought.turn + 1, **press_of(who, record, request, here).signature, **NO_DICE, "mistyped": True}
        entry |= {"moderator": True} if by_moderator else {}
        entry |= {"side": "attacker"} if here.turns else {}
        (roll,) = hashed_rolls(fought.head, [NewEntry(entry, None, None)])
        marked = await services.store.battles.mark_mistyped(
            fought.id,
            roll,
            at=datetime.now(UTC),
            kept=await is_kept(fought.place, request, services),
            presser=None if who in record.players else who,
        )
        if marked:
            return record.after(marked, who, [roll])
        record = await find(fought.id, services)  # Somebody rolled first: the battle is marked after that.
    return record


async def _check(record: BattleRecord, request: Request, services: Services) -> tuple[Position, bool]:
    """Return how a battle stands, and whether it takes a moderator to mark it; UserError if this person can't."""
    if record.battle.mistyped:
        raise UserError(_(MARKED))
    here = await position_of(record, request.message, services)
    by_moderator = check_marking(record, request, here)
    if not typed_rolls(record.entries):
        raise UserError(_(NOT_TYPED))
    return here, by_moderator
