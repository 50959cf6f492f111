"""One interaction: what a person did, how the bot may answer, and waiting for that answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from .board import Parts
from .limits import callback_problems
from .posts import COMMAND_ANSWER, MENU_ANSWER, Post
from .shown import Choice, Modal, Shown, modal_of
from .timing import PATIENCE, Bell
from .wire import (
    EPHEMERAL,
    LOADING,
    ApiError,
    Callback,
    Json,
    Kind,
    Problem,
    invalid_form,
    unknown_message,
)
from .world import Channel, User

if TYPE_CHECKING:
    from .desk import Desk

FIRST_ANSWER = 3.0
TOKEN_LIFE = 15 * 60.0
FOLLOWUPS_WHEN_USER_INSTALLED = 5

ALLOWED = {
    Kind.COMMAND: {Callback.MESSAGE, Callback.THINKING, Callback.MODAL},
    Kind.COMPONENT: set(Callback) - {Callback.CHOICES},
    Kind.AUTOCOMPLETE: {Callback.CHOICES},
    Kind.MODAL: {Callback.MESSAGE, Callback.THINKING, Callback.UPDATE_LATER, Callback.UPDATE},
}
ON_A_MESSAGE = {Callback.UPDATE_LATER, Callback.UPDATE}

T = TypeVar("T")
R = TypeVar("R", Post, Modal, list[Choice])


@dataclass(eq=False, repr=False)
class Interaction:
    """A command, press, choice or form on its way; the waiting methods take `within` real seconds.

    `source` is the message whose button or menu was used, `born` the time that counts for the deadlines, `asked` what
    the person did in words, `excused` that silence is no fault: it came late, or an answer was refused.
    """

    desk: Desk
    id: int
    token: str
    kind: Kind
    user: User
    channel: Channel
    asked: str
    born: float
    started: float
    source: Post | None = None
    excused: bool = False
    is_menu: bool = False
    origin: Json = field(default_factory=dict)
    response: Callback | None = None
    original: Post | None = None
    posts: list[Post] = field(default_factory=list)
    followup_count: int = 0
    result: Post | Modal | list[Choice] | None = None
    acknowledged_after: float | None = None
    answered_after: float | None = None
    history: list[str] = field(default_factory=list)
    bell: Bell = field(default_factory=Bell)
    edits_before: int = field(init=False)

    def __post_init__(self) -> None:
        self.edits_before = self.source.edited if self.source else 0

    def __repr__(self) -> str:
        return f"<{self.asked} by {self.user.name}: {'; '.join(self.history) or 'unanswered'}>"

    # What a test may ask

    @property
    def deferred(self) -> bool:
        """Whether the first answer was a promise (types 5 and 6)."""
        return self.response in (Callback.THINKING, Callback.UPDATE_LATER)

    @property
    def is_seen(self) -> bool:
        """Whether there is an answer, or what was promised stands in the message, whoever's press changed it."""
        if self.result is not None or self.source is None:
            return self.result is not None
        return self.response is Callback.UPDATE_LATER and self.source.edited > self.edits_before

    @property
    def followups(self) -> list[Shown]:
        """The messages sent besides the first answer, as they look now."""
        known = self.desk.board.posts
        return [post.shown() for post in self.posts if post is not self.original and post.id in known]

    @property
    def left_waiting(self) -> bool:
        """Whether "thinking..." is still there, or the message is as it was when the button was pressed."""
        if self.original is None or self.original.id not in self.desk.board.posts:
            return False
        return self.response is not Callback.UPDATE_LATER or self.original.edited == self.edits_before

    async def acknowledged(self, *, within: float = PATIENCE) -> Callback:
        """Wait for the first answer of any type, also a promise."""
        return await self._wait(lambda: self.response, "acknowledged", within)

    async def answered(self, *, within: float = PATIENCE) -> Shown:
        """Wait for a message which is not "thinking…": a new one, or the edited one."""
        return (await self._result_of(Post, "a message", within)).shown()

    async def opened(self, *, within: float = PATIENCE) -> Modal:
        """Wait for a form."""
        return await self._result_of(Modal, "a form", within)

    async def offered(self, *, within: float = PATIENCE) -> list[Choice]:
        """Wait for suggestions."""
        return await self._result_of(list, "suggestions", within)

    async def _result_of(self, kind: type[R], what: str, within: float) -> R:
        result = await self._wait(lambda: self.result, "answered", within)
        if isinstance(result, kind):
            return result
        seen = result.shown() if isinstance(result, Post) else result
        raise AssertionError(f"{self.asked}: {what} was expected, there came {seen!r}")

    async def _wait(self, check: Callable[[], T | None], what: str, within: float) -> T:
        return await self.bell.until(check, within=within, otherwise=lambda: self._complaint(what, within))

    def _complaint(self, what: str, within: float) -> str:
        happened = "\n".join(f"  {line}" for line in self.history) or "  nothing at all"
        return (
            f"{self.asked} by {self.user.name} was not {what} within {within} s. What happened instead:\n"
            f"{happened}\n{self.desk.outlook()}"
        )

    # What the bot may do

    def respond(self, body: Json, parts: Parts) -> Json:
        """The first answer (`POST /interactions/…/callback`)."""
        kind = self._may_respond(body)
        data: Json = body.get("data") or {}
        if kind is Callback.MESSAGE:
            self.original = self._publish(self.desk.board.create(self.channel, data, parts, "data."))
        elif kind is Callback.THINKING:
            placeholder = self.desk.board.blank(self.channel)
            placeholder.flags = LOADING | (data.get("flags") or 0)
            self.original = self._publish(placeholder)
        elif kind in ON_A_MESSAGE:
            self.original = self._source()
            if kind is Callback.UPDATE:
                self.desk.board.edit(self.original, data, parts, "data.")
                self.original.deferred = False
        self.response = kind
        self.acknowledged_after = self.desk.clock.now() - self.started
        if kind is Callback.MODAL:
            self._finish(modal_of(data, self.id))
        elif kind is Callback.CHOICES:
            self._finish([Choice(choice["name"], choice["value"]) for choice in data.get("choices") or []])
        elif not self.deferred:
            self._finish(self.original)
        self.bell.ring()
        return self._receipt()

    def _may_respond(self, body: Json) -> Callback:
        """The type of the callback, if the bot may answer so now."""
        if self.response is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if self.desk.clock.deadlines() - self.born > FIRST_ANSWER:
            raise unknown_interaction(mistake=False)
        if problems := callback_problems(body):
            raise invalid_form(problems)
        kind = Callback(body["type"])
        if kind not in ALLOWED[self.kind] or (kind in ON_A_MESSAGE and self.source is None):
            what = f"A {self.kind.name} without a message" if self.source is None else f"A {self.kind.name}"
            raise invalid_form([Problem("type", f"{what} cannot be answered with {kind.name} ({kind}).")])
        return kind

    def get(self, which: str) -> Json:
        return self._own(which).payload()

    def edit(self, which: str, body: Json, parts: Parts) -> Json:
        """Edit the first answer ("@original") or a message of this interaction by id."""
        post = self._own(which)
        if post.thinking:
            self.desk.board.fill(post, body, parts)
        else:
            self.desk.board.edit(post, body, parts)
            if self.response is Callback.UPDATE_LATER and self.result is None:
                post.deferred = True
        if self.result is None and post is self.original:
            self._finish(post)
        return post.payload()

    def delete(self, which: str) -> None:
        self.desk.board.delete(self._own(which))

    def follow_up(self, body: Json, parts: Parts) -> Json:
        """A further message. Discord would put the first one in the place of "thinking…", but advises against that."""
        self._need_response()
        if self.original is not None and self.original.thinking and self.original.id in self.desk.board.posts:
            raise invalid_form([Problem("", 'Deprecated: edit "@original" to answer what was deferred.')])
        if self.user_installed_only and self.followup_count >= FOLLOWUPS_WHEN_USER_INSTALLED:
            raise ApiError(400, 40094, "This interaction has hit the maximum number of follow up messages.")
        post = self._publish(self.desk.board.create(self.channel, body, parts))
        self.followup_count += 1
        if self.result is None:
            post.deferred = self.deferred
            self._finish(post)
        return post.payload()

    @property
    def user_installed_only(self) -> bool:
        return not self.channel.bot_is_here

    def check_token(self) -> None:
        """Refuse if the token's 15 minutes are over."""
        if self.desk.clock.deadlines() - self.born > TOKEN_LIFE:
            raise ApiError(401, 50027, "Invalid Webhook Token", mistake=False)

    def _need_response(self) -> None:
        if self.response is None:
            raise ApiError(404, 10015, "Unknown Webhook")

    def _own(self, which: str) -> Post:
        """The message meant by "@original" or an id, if this interaction may touch it."""
        self._need_response()
        if which == "@original":
            if self.original is None:
                raise unknown_message()
            return self.desk.board.find(self.original.id)
        post = self.desk.board.find(int(which)) if which.isdigit() else None
        if post is None or (post not in self.posts and post is not self.original):
            raise unknown_message()
        return post

    def _source(self) -> Post:
        if self.source is None:
            raise unknown_message()
        return self.desk.board.find(self.source.id)

    def _publish(self, post: Post) -> Post:
        post.origin = self.origin
        post.private_to = self.user if post.flags & EPHEMERAL else None
        if self.kind is Kind.COMMAND and not self.posts:
            post.kind = MENU_ANSWER if self.is_menu else COMMAND_ANSWER
        self.posts.append(post)
        return self.desk.board.publish(post)

    def _finish(self, result: Post | Modal | list[Choice] | None) -> None:
        self.result = result
        self.answered_after = self.desk.clock.now() - self.started
        self.bell.ring()

    def _receipt(self) -> Json:
        """The answer to the callback itself, as `?with_response=1` asks for it."""
        about: Json = {"id": str(self.id), "type": int(self.kind), "channel_id": str(self.channel.id)}
        if self.channel.guild:
            about["guild_id"] = str(self.channel.guild.id)
        if self.original is None:
            return {"interaction": about}
        about["response_message_id"] = str(self.original.id)
        about["response_message_loading"] = self.original.thinking
        about["response_message_ephemeral"] = bool(self.original.flags & EPHEMERAL)
        if self.response is Callback.UPDATE_LATER:
            return {"interaction": about}
        kind = Callback.UPDATE if self.response is Callback.UPDATE else Callback.MESSAGE
        return {"interaction": about, "resource": {"type": int(kind), "message": self.original.payload()}}


def unknown_interaction(*, mistake: bool) -> ApiError:
    return ApiError(404, 10062, "Unknown interaction", mistake=mistake)
