"""All messages, and the rules by which the bot writes, edits and removes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote

from .limits import file_problems, message_problems
from .posts import PLAIN, REPLY, Post, attached_names, mentioned, numbered, pinged
from .shown import File
from .timing import Bell, Snowflakes, timestamp
from .wire import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    MEBIBYTE,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Json,
    Problem,
    empty_message,
    invalid_form,
    too_large,
    unknown_message,
)
from .world import Channel, User, World

CREATE_FLAGS = SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
EDIT_FLAGS = SUPPRESS_EMBEDS | COMPONENTS_V2


@dataclass(frozen=True)
class Part:
    """One part of a multipart body: `name` is the field ("files[0]"), `filename` the file's own name."""

    name: str
    filename: str | None
    content_type: str
    data: bytes


Parts = Sequence[Part]
Change = Literal["created", "edited", "deleted"]


class Board:
    """Every message by id, and a bell that rings at each change."""

    def __init__(self, ids: Snowflakes, world: World) -> None:
        self.posts: dict[int, Post] = {}
        self.deleted: set[int] = set()
        self.uploads: dict[int, File] = {}
        self.bell = Bell()
        self.size_limit = 10 * MEBIBYTE
        self.files_at = ""
        self.listeners: list[Callable[[Change, Post], None]] = []
        self._ids = ids
        self._world = world

    def find(self, message_id: int) -> Post:
        if message_id not in self.posts:
            raise unknown_message(mistake=message_id not in self.deleted)
        return self.posts[message_id]

    def say(
        self,
        channel: Channel,
        author: User,
        content: str,
        reply_to: Post | None = None,
        kind: int = PLAIN,
        ping: bool = True,
    ) -> Post:
        """A message written by hand, or one of another kind that Discord writes in somebody's name.

        A reply with a `ping` mentions the author of the other message, unless that answers an interaction.
        """
        post = Post(self._ids.next(), channel, author, content, kind=kind, mentions=mentioned(content, self._world))
        if reply_to:
            post.kind, post.reply_to = REPLY, reply_to
            if ping and not reply_to.origin and reply_to.author not in post.mentions:
                post.mentions.append(reply_to.author)
        return self.publish(post)

    def forward(self, channel: Channel, author: User, forwarded: Post) -> Post:
        """A message that forwards another one and has no text of its own."""
        return self.publish(Post(self._ids.next(), channel, author, forwards=forwarded))

    def blank(self, channel: Channel) -> Post:
        """An empty message of the bot; nobody sees it before it is published."""
        return Post(self._ids.next(), channel, self._world.bot)

    def publish(self, post: Post) -> Post:
        self.posts[post.id] = post
        self._tell("created", post)
        return post

    def create(self, channel: Channel, body: Json, parts: Parts, at: str = "") -> Post:
        """A new message of the bot, not yet on the board: `publish` it when it is complete."""
        problems = message_problems(body, at)
        if (body.get("flags") or 0) & ~CREATE_FLAGS:
            problems.append(Problem(f"{at}flags", "Only EPHEMERAL, SUPPRESS_* and IS_COMPONENTS_V2."))
        self._refuse(problems)
        post = self.blank(channel)
        post.flags = body.get("flags") or 0
        self._apply(post, body, parts, at)
        post.pings = pinged(post.content, body.get("allowed_mentions"), self._world)
        return post

    def edit(self, post: Post, body: Json, parts: Parts, at: str = "") -> None:
        """Change what the body names, leave the rest. Filling a "thinking…" message is no edit to people."""
        flags = body.get("flags") or 0
        problems = message_problems(body, at, was_v2=bool(post.flags & COMPONENTS_V2))
        if flags & ~EDIT_FLAGS:
            problems.append(Problem(f"{at}flags", "Public or private, silent or not, is fixed at the start."))
        self._refuse(problems)
        draft = replace(post, flags=post.flags | flags)
        self._apply(draft, body, parts, at)
        post.content, post.embeds, post.components = draft.content, draft.embeds, draft.components
        post.files, post.flags, post.mentions = draft.files, draft.flags & ~LOADING, draft.mentions
        post.edited += 1
        post.edited_at = timestamp()
        self._tell("edited", post)

    def fill(self, post: Post, body: Json, parts: Parts) -> None:
        """Put the answer in the place of "thinking…"."""
        self.edit(post, body, parts)
        post.edited, post.edited_at, post.deferred = 0, None, True
        post.pings = pinged(post.content, body.get("allowed_mentions"), self._world)

    def delete(self, post: Post) -> None:
        del self.posts[post.id]
        self.deleted.add(post.id)
        self._tell("deleted", post)

    def upload(self, channel: Channel, name: str, data: bytes, description: str | None = None) -> File:
        """Keep a file where it can be fetched."""
        if len(data) > self.size_limit:
            raise too_large(name, self.size_limit)
        file_id = self._ids.next()
        url = f"{self.files_at}/attachments/{channel.id}/{file_id}/{quote(name)}"
        self.uploads[file_id] = File(file_id, name, data, description, url)
        return self.uploads[file_id]

    def _apply(self, post: Post, body: Json, parts: Parts, at: str) -> None:
        """Put what the body says into `post`; refuse what would leave it broken or empty."""
        self._refuse(file_problems(body.get("attachments"), ((p.name, p.filename) for p in parts), at))
        if "content" in body:
            post.content = body["content"] or ""
            post.mentions = mentioned(post.content, self._world)
        if "embeds" in body:
            post.embeds = body["embeds"] or []
        if "components" in body:
            post.components = numbered(body["components"] or [])
        if "attachments" in body:
            post.files = self._files(post, body["attachments"] or [], parts, at)
        self._refuse(self._whole_problems(post, at))
        if not (post.content or post.embeds or post.components or post.files):
            raise empty_message()

    def _files(self, post: Post, wanted: list[Json], parts: Parts, at: str) -> list[File]:
        """The files named by `attachments`: some stay, the others are parts of this request."""
        kept = {str(file.id): file for file in post.files}
        new = {part.name: part for part in parts}
        files: list[File] = []
        for index, entry in enumerate(wanted):
            key = str(entry["id"])
            if part := new.get(f"files[{key}]"):
                files.append(self.upload(post.channel, part.filename or "", part.data, entry.get("description")))
            elif key in kept:
                files.append(kept[key])
            else:
                self._refuse([Problem(f"{at}attachments.{index}", f"The message has no attachment {key}.")])
        return files

    def _whole_problems(self, post: Post, at: str) -> list[Problem]:
        """What is wrong with the message as a whole, after the change."""
        names = {file.name for file in post.files}
        problems = [
            Problem(f"{at}attachments", f"attachment://{name} refers to no file of the message.")
            for name in attached_names([post.embeds, post.components])
            if name not in names
        ]
        if post.flags & COMPONENTS_V2 and (post.content or post.embeds):
            problems.append(Problem(f"{at}flags", "IS_COMPONENTS_V2 excludes content and embeds."))
        return problems

    @staticmethod
    def _refuse(problems: Sequence[Problem]) -> None:
        if problems:
            raise invalid_form(problems)

    def _tell(self, change: Change, post: Post) -> None:
        for listener in self.listeners:
            listener(change, post)
        self.bell.ring()
