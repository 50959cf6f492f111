"""The people and places of the stand-in: users, servers, channels, roles, and how Discord describes them."""

from __future__ import annotations

from dataclasses import dataclass, field

from .timing import Snowflakes, timestamp
from .wire import Json

TEXT_CHANNEL, DIRECT, GROUP, THREAD, PRIVATE_THREAD, FORUM = 0, 1, 3, 11, 12, 15

MANAGE_GUILD = 1 << 5
ORDINARY = (1 << 10) | (1 << 11) | (1 << 14) | (1 << 15) | (1 << 16) | (1 << 31)
"""View, send, embed links, attach files, read history, use application commands."""


@dataclass(eq=False)
class Role:
    """A role of a server; hand it to a command where it asks for one."""

    id: int
    name: str

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "name": self.name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "position": 1,
            "permissions": str(ORDINARY),
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }


@dataclass(eq=False)
class User:
    """An account: of a person or of the bot."""

    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    permissions: int = ORDINARY
    roles: list[Role] = field(default_factory=list)

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "discriminator": "0",
            "global_name": None if self.bot else self.name,
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "banner": None,
            "accent_color": None,
            "primary_guild": None,
        }

    def member_payload(self, *, with_user: bool = True, with_permissions: bool = False) -> Json:
        """This user as a member of a server; message events leave the user out."""
        member: Json = {
            "nick": None,
            "avatar": None,
            "banner": None,
            "roles": [str(role.id) for role in self.roles],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "communication_disabled_until": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }
        if with_user:
            member["user"] = self.payload()
        if with_permissions:
            member["permissions"] = str(self.permissions)
        return member


@dataclass(eq=False)
class Channel:
    """Where people write: a text channel, a thread, direct messages with the bot, or a group of friends.

    A post of a forum is a thread, whose parent is the forum.
    """

    id: int
    kind: int
    name: str
    guild: Guild | None = None
    recipients: list[User] = field(default_factory=list)
    parent: Channel | None = None

    @property
    def mention(self) -> str:
        """The text that people see as the channel's name."""
        return f"<#{self.id}>"

    @property
    def bot_is_here(self) -> bool:
        """Whether the bot reads and writes here without an interaction."""
        return self.guild.has_bot if self.guild else self.kind == DIRECT

    def payload(self) -> Json:
        common: Json = {"id": str(self.id), "type": self.kind, "last_message_id": None, "flags": 0}
        if self.guild is None:
            common["recipients"] = [user.payload() for user in self.recipients]
            if self.kind == GROUP:
                common |= {"name": self.name, "icon": None, "owner_id": str(self.recipients[0].id)}
            return common
        if self.parent:
            return common | self._thread_payload(self.guild, self.parent)
        return common | {
            "guild_id": str(self.guild.id),
            "name": self.name,
            "position": 0,
            "permission_overwrites": [],
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
            **({"available_tags": [], "default_sort_order": None} if self.kind == FORUM else {}),
        }

    def _thread_payload(self, guild: Guild, parent: Channel) -> Json:
        return {
            "guild_id": str(guild.id),
            "parent_id": str(parent.id),
            "owner_id": str(guild.owner_id),
            "name": self.name,
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": timestamp(),
                "locked": False,
            },
        }


@dataclass(eq=False)
class Guild:
    """A server. Where `has_bot` is false only people who installed the app for themselves can use it."""

    id: int
    name: str
    locale: str
    owner_id: int
    has_bot: bool = True
    channels: list[Channel] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    members: list[User] = field(default_factory=list)

    @property
    def channel(self) -> Channel:
        """The first channel, where members are unless told otherwise."""
        return self.channels[0]

    def stub(self) -> Json:
        """The little an interaction tells about its server."""
        return {"id": str(self.id), "locale": self.locale, "features": []}

    def payload(self, bot: User) -> Json:
        """The whole server as GUILD_CREATE tells it to a bot without the members intent."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner_id),
            "preferred_locale": self.locale,
            "unavailable": False,
            "large": False,
            "member_count": len(self.members) + 1,
            "joined_at": "2024-01-01T00:00:00+00:00",
            "roles": [Role(self.id, "@everyone").payload(), *(role.payload() for role in self.roles)],
            "channels": [channel.payload() for channel in self.channels if not channel.parent],
            "threads": [channel.payload() for channel in self.channels if channel.parent],
            "members": [bot.member_payload()],
            "icon": None,
            "description": None,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "afk_timeout": 300,
            "afk_channel_id": None,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "features": [],
            **{key: [] for key in ("emojis", "stickers", "presences", "voice_states")},
            **{key: [] for key in ("stage_instances", "guild_scheduled_events", "soundboard_sounds")},
        }


class World:
    """Everybody and everywhere, and the bot's own account."""

    def __init__(self, ids: Snowflakes, bot_name: str) -> None:
        self._ids = ids
        self.bot = User(ids.next(), bot_name, bot=True)
        self.owner = User(ids.next(), "Olive Owner")
        self.users: dict[int, User] = {user.id: user for user in (self.bot, self.owner)}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.installs: Json = {"0": {}, "1": {}}
        self.verify_key = ""

    @property
    def app_id(self) -> int:
        """The application's id; like those of today's bots it is the bot's own."""
        return self.bot.id

    @property
    def bot_guilds(self) -> list[Guild]:
        return [guild for guild in self.guilds.values() if guild.has_bot]

    def add_guild(self, name: str, locale: str = "en-US", *, has_bot: bool = True) -> Guild:
        guild = Guild(self._ids.next(), name, locale, self.owner.id, has_bot=has_bot)
        self.guilds[guild.id] = guild
        self.add_channel(guild, "war-room")
        return guild

    def add_channel(self, guild: Guild, name: str, kind: int = TEXT_CHANNEL, parent: Channel | None = None) -> Channel:
        channel = self._keep(Channel(self._ids.next(), kind, name, guild, parent=parent))
        guild.channels.append(channel)
        return channel

    def remove_channel(self, guild: Guild, channel: Channel) -> None:
        guild.channels.remove(channel)
        del self.channels[channel.id]

    def add_role(self, guild: Guild, name: str) -> Role:
        guild.roles.append(Role(self._ids.next(), name))
        return guild.roles[-1]

    def add_user(self, name: str, locale: str, guild: Guild | None = None) -> User:
        user = User(self._ids.next(), name, locale)
        self.users[user.id] = user
        if guild:
            guild.members.append(user)
        return user

    def direct(self, user: User) -> Channel:
        """The direct messages between the bot and a user, always the same channel."""
        for channel in self.channels.values():
            if channel.kind == DIRECT and channel.recipients == [user]:
                return channel
        return self._keep(Channel(self._ids.next(), DIRECT, user.name, recipients=[user]))

    def group(self, user: User) -> Channel:
        """A group of friends the bot has no part in."""
        friend = self.add_user(f"{user.name}'s friend", "en-US")
        return self._keep(Channel(self._ids.next(), GROUP, "friends", recipients=[user, friend]))

    def _keep(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        return channel

    def me(self) -> Json:
        """The bot's account as it sees itself."""
        return self.bot.payload() | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}

    def application(self) -> Json:
        """The application, the same from `/oauth2/applications/@me` and `/applications/@me`."""
        return {
            "id": str(self.app_id),
            "name": self.bot.name,
            "description": "",
            "icon": None,
            "type": None,
            "summary": "",
            "bot": self.bot.payload(),
            "bot_public": True,
            "bot_require_code_grant": False,
            "is_monetized": False,
            "is_verified": False,
            "verify_key": self.verify_key,
            "flags": 0,
            "flags_new": "0",
            "hook": True,
            "storefront_available": False,
            "integration_types_config": self.installs,
            "owner": self.owner.payload(),
            "team": None,
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "approximate_guild_count": len(self.bot_guilds),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": [],
        }

    def started(self, session_id: str, resume_url: str, shard: tuple[int, int]) -> Json:
        """The READY event: servers are not yet available, they come in events of their own."""
        mine = [guild for guild in self.bot_guilds if shard_of(guild, shard[1]) == shard[0]]
        return {
            "v": 10,
            "user": self.me(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine],
            "session_id": session_id,
            "resume_gateway_url": resume_url,
            "shard": list(shard),
            "application": {"id": str(self.app_id), "flags": 0},
            "private_channels": [],
            "user_settings": {},
            "presences": [],
            "relationships": [],
            "session_type": "normal",
            "geo_ordered_rtc_regions": [],
            "_trace": [timestamp()],
        }


def shard_of(guild: Guild | None, shards: int) -> int:
    """Which shard hears of a server; direct messages go to the first."""
    return (guild.id >> 22) % shards if guild else 0
