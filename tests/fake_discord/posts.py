"""One message as the stand-in keeps it, how Discord describes it, and how it looks to people."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .component_limits import walk
from .shown import File, Shown, buttons_of, menus_of
from .timing import timestamp
from .wire import EPHEMERAL, LOADING, Json, copy_json
from .world import Channel, User, World

PLAIN, REPLY, COMMAND_ANSWER, MENU_ANSWER = 0, 19, 20, 23
ATTACHED = "attachment://"


@dataclass(eq=False)
class Post:
    """A message; `origin` is the interaction_metadata of the interaction that made it."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    flags: int = 0
    kind: int = PLAIN
    edited: int = 0
    deferred: bool = False
    private_to: User | None = None
    reply_to: Post | None = None
    forwards: Post | None = None
    origin: Json | None = None
    mentions: list[User] = field(default_factory=list)
    pings: tuple[str, ...] = ()
    written_at: str = field(default_factory=timestamp)
    edited_at: str | None = None

    @property
    def thinking(self) -> bool:
        return bool(self.flags & LOADING)

    def visible_to(self, user: User) -> bool:
        return self.private_to in (None, user)

    def payload(self) -> Json:
        """The message object; events add `guild_id` and `member` to it."""
        message: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": self.kind,
            "author": self.author.payload(),
            "content": self.content,
            "timestamp": self.written_at,
            "edited_timestamp": self.edited_at,
            "tts": False,
            "mention_everyone": "everyone" in self.pings,
            "mentions": [user.payload() for user in self.mentions],
            "mention_roles": [],
            "attachments": [self._attachment(file) for file in self.files],
            "embeds": self._with_urls([{"type": "rich", **embed} for embed in self.embeds]),
            "components": self._with_urls(self.components),
            "pinned": False,
            "flags": self.flags,
        }
        if self.author.bot:
            message["application_id"] = str(self.author.id)
        if self.origin:
            message |= {"interaction_metadata": self.origin, "webhook_id": str(self.author.id)}
        if self.reply_to:
            message["message_reference"] = self._reference(self.reply_to)
            message["referenced_message"] = self.reply_to.payload()
        if self.forwards:
            message["message_reference"] = self._reference(self.forwards) | {"type": 1}
            message["message_snapshots"] = [{"message": self.forwards.snapshot()}]
        return message

    def snapshot(self) -> Json:
        """The part of the message that stands in another one which forwards it."""
        kept = ("type", "content", "timestamp", "edited_timestamp", "mentions", "mention_roles", "attachments")
        whole = self.payload()
        return {name: whole[name] for name in (*kept, "embeds", "components", "flags")}

    def event(self, bot: User) -> Json:
        """The message as MESSAGE_CREATE and MESSAGE_UPDATE tell it to a bot without the content intent.

        The bot reads in a server what it has written itself and what mentions it, but all of a message replied to.
        """
        message = self.payload()
        if guild := self.channel.guild:
            message["guild_id"] = str(guild.id)
            if not self.origin:
                message["member"] = self.author.member_payload(with_user=False)
            for user, member in zip(message["mentions"], self.mentions, strict=True):
                user["member"] = member.member_payload(with_user=False)
            if bot not in (self.author, *self.mentions):
                message |= {"content": "", "embeds": [], "attachments": [], "components": []}
                message.pop("message_snapshots", None)
        return message

    def shown(self) -> Shown:
        return Shown(
            id=self.id,
            author=self.author.name,
            content=self.content,
            private=bool(self.flags & EPHEMERAL),
            thinking=self.thinking,
            deferred=self.deferred,
            edited=self.edited,
            files=tuple(self.files),
            buttons=buttons_of(self.components),
            menus=menus_of(self.components),
            embeds=tuple(copy_json(self.embeds)),
            components=tuple(copy_json(self.components)),
            channel_id=self.channel.id,
            reply_to=self.reply_to.id if self.reply_to else None,
            pings=self.pings,
            flags=self.flags,
        )

    def _attachment(self, file: File) -> Json:
        attachment: Json = {
            "id": str(file.id),
            "filename": file.name,
            "size": len(file.data),
            "url": file.url,
            "proxy_url": file.url,
            "content_type": mimetypes.guess_type(file.name)[0] or "application/octet-stream",
        }
        if file.description is not None:
            attachment["description"] = file.description
        if self.private_to:
            attachment["ephemeral"] = True
        if size := png_size(file.data):
            attachment |= {"width": size[0], "height": size[1]}
        return attachment

    def _with_urls(self, part: Any) -> Any:
        """`part` with each attachment://name replaced by where the file can be had."""
        if isinstance(part, list):
            return [self._with_urls(item) for item in part]
        if isinstance(part, dict):
            return {key: self._with_urls(value) for key, value in part.items()}
        if isinstance(part, str) and part.startswith(ATTACHED):
            return next((f.url for f in self.files if f.name == part.removeprefix(ATTACHED)), part)
        return part

    @staticmethod
    def _reference(post: Post) -> Json:
        reference = {"type": 0, "message_id": str(post.id), "channel_id": str(post.channel.id)}
        if post.channel.guild:
            reference["guild_id"] = str(post.channel.guild.id)
        return reference


def png_size(data: bytes) -> tuple[int, int] | None:
    """Width and height, if `data` is a PNG."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


class Looks(Mapping[int, Shown]):
    """How each message looks at the moment at which it is looked up."""

    def __init__(self, posts: Mapping[int, Post]) -> None:
        self._posts = posts

    def __getitem__(self, message_id: int) -> Shown:
        return self._posts[message_id].shown()

    def __iter__(self) -> Iterator[int]:
        return iter(self._posts)

    def __len__(self) -> int:
        return len(self._posts)


def attached_names(part: Any) -> Iterator[str]:
    """Every name that embeds or components ask for by attachment://name."""
    if isinstance(part, list):
        for item in part:
            yield from attached_names(item)
    elif isinstance(part, dict):
        for value in part.values():
            yield from attached_names(value)
    elif isinstance(part, str) and part.startswith(ATTACHED):
        yield part.removeprefix(ATTACHED)


def numbered(components: list[Json]) -> list[Json]:
    """A copy in which every component has an id, as Discord returns them."""
    made = copy_json(components)
    for number, (_, component) in enumerate(walk(made), start=1):
        component.setdefault("id", number)
    return made


def mentioned(content: str, world: World) -> list[User]:
    """The users whose <@id> stands in the text."""
    ids = dict.fromkeys(int(found) for found in re.findall(r"<@!?(\d+)>", content))
    return [world.users[user_id] for user_id in ids if user_id in world.users]


def pinged(content: str, allowed: Json | None, world: World) -> tuple[str, ...]:
    """Whom a bot's message notifies; without `allowed_mentions` Discord honours every mention."""
    allowed = {"parse": ["users", "roles", "everyone"]} if allowed is None else allowed
    parse = allowed.get("parse") or []
    listed = {int(user_id) for user_id in allowed.get("users") or []}
    names = [user.name for user in mentioned(content, world) if "users" in parse or user.id in listed]
    if "everyone" in parse and re.search(r"@(everyone|here)\b", content):
        names.append("everyone")
    return tuple(names)
