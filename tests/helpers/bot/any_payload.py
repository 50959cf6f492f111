"""Interactions that no story has: hostile values wherever somebody can write, and broken shapes."""

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from bot.commands.table import COMMANDS
from bot.discord_app.delivery import VERSION
from bot.replies import LINELESS
from tests.fake_discord import FakeDiscord, Interaction, Person
from tests.fake_discord.wire import Json, Kind

BAIT = "zq"
"""Stands beside all markup below: where it is seen next to markup outside of code, that was not escaped."""
MARKUP = (
    *(f"**{BAIT}**", f"__{BAIT}__", f"||{BAIT}||", f"~~{BAIT}~~", f"[{BAIT}](https://{BAIT}.example)", f"</{BAIT}:1>"),
    *(f"`{BAIT}`", f"```{BAIT}", f"{BAIT}```", f"\n# {BAIT}", f"\n> {BAIT}", f"\n-# {BAIT}", f"<#{BAIT}", f"\\{BAIT}"),
    *(f"@everyone {BAIT}", f"@here {BAIT}", f"<@&1> {BAIT}", f"<@1> {BAIT}", f"<@!2> {BAIT}", f"<t:0:R> {BAIT}"),
)
HOSTILE = (
    *MARKUP,
    *(
        "",
        " ",
        "\x00",
        "\u202e",
        "\u200b",
        "\u2066x",
        "\ufeff",
        "\u0301" * 50,
        "\u115f",
        "😀",
        "𝟙𝟚 𝟡",
        "１２ ９",
        "12\u00a09",
    ),
    *("'; DROP TABLE setups;--", '" OR 1=1 --', "%", "_", "../../etc/passwd", "C:\\nul", "file:///etc/passwd", "~"),
    *(
        "{0.__class__}",
        "{}",
        "{",
        "}",
        "{name}",
        "{0!r:>99999}",
        "%s",
        "%n%d",
        "%(x)s",
        "%99999d",
        "$(id)",
        "${jndi:x}",
    ),
    *("(a+)+$", "(" * 200, "[" * 200, "\\" * 99, ".*", "a" * 100, "1" * 400, "1e999", "-1", "0x10", "NaN", "12 9" * 60),
    *("12 9", "3 inf vs 2 inf", "20 > 5 > 4", "12 9 || stop:3", "5 bom vs 20", "8 inf || 4 inf || 3 arm", "6 4 vs 5"),
    *(
        ">" * 100,
        "||" * 50,
        "vs " * 99,
        "then " * 99,
        ":" * 99,
        ", " * 99,
        "retreat:" * 20,
        "loss:" + "inf," * 60,
        "or " * 99,
    ),
    *(
        "alamo",
        "none",
        "on",
        "off",
        "history:on",
        "help",
        "packs",
        "replace",
        "True",
        "null",
        "[]",
        "\r\n\t",
        "\n" * 99,
    ),
)
JUNK: tuple[Any, ...] = (None, True, 0, -1, 1.5, 10**30, "", "x", [], {}, [None], {"id": "x"}, [[]], {"value": []})
JUNK += (math.inf, -math.inf, math.nan, 10**400, "9" * 19, "9" * 20, [math.inf])
"""What stands where something else should."""

LINES = (
    *("`12 9`", "`3 inf vs 2 inf`", "`20 > 5 > 4`", "`12 9 || stop:3`", "`5 bom vs 20`", "`8 inf || 4 inf || 3 arm`"),
    *("no line", "`alamo <@&1>`", "`{0.__class__}`", "`" + "(" * 1500 + "`"),
)
"""What the messages say under which somebody presses."""
NAMES = ("**zq** @everyone", "<@&1>`zq`", "{0.__class__} [zq](https://zq.example)", "\x00\n# zq\u202e||zq||", "_" * 32)


class Forged(NamedTuple):
    """What is sent: an interaction's kind and data, and whether it is one that has to be answered."""

    kind: Kind
    data: Json
    whole: bool


def text(chance: Random, most: int) -> str:
    """A hostile text of at most so many characters."""
    parts = chance.choices(HOSTILE, k=chance.choice((1, 1, 1, 2, 3, 20)))
    joined = chance.choice(("", " ", " ", "\n")).join(parts)
    if chance.random() < 0.1:
        joined = (joined or "x") * (most // max(1, len(joined)) + 1)
    return joined[:most]


def chosen(chance: Random, known: list[Json], users: list[str]) -> Iterator[Json]:
    """Options of a command, each allowed by itself, filled with what is hostile."""
    for option in known:
        if not option.get("required") and chance.random() < 0.3:
            continue
        filled: Json = {"type": option["type"], "name": option["name"]}
        match option["type"]:
            case 3 if option.get("choices"):
                yield filled | {"value": chance.choice(option["choices"])["value"]}
            case 3:
                least, most = option.get("min_length") or 0, option.get("max_length") or 6000
                yield filled | {"value": text(chance, most).ljust(least, "x")}
            case 5:
                yield filled | {"value": chance.random() < 0.5}
            case 6 | 8:
                yield filled | {"value": chance.choice(users)}
            case 11:
                yield filled | {"value": "77"}


def command(chance: Random, commands: list[Json], users: list[str], resolved: Json) -> Json:
    """The data of any command, or of any subcommand."""
    found = chance.choice([one for one in commands if one["type"] == 1])
    data: Json = {"id": found["id"], "name": found["name"], "type": 1, "resolved": deepcopy(resolved)}
    inner = [one for one in found.get("options", []) if one["type"] == 1]
    if inner:
        sub = chance.choice(inner)
        options = list(chosen(chance, sub.get("options", []), users))
        return data | {"options": [{"type": 1, "name": sub["name"], "options": options}]}
    return data | {"options": list(chosen(chance, found.get("options", []), users))}


def typing(chance: Random, commands: list[Json], users: list[str], resolved: Json) -> Json:
    """The same while it is typed: the first text has the focus."""
    data = command(chance, commands, users, resolved)
    options = data["options"][0].get("options", data["options"]) if data["options"] else []
    typed = [option for option in options if option["name"] in ("matchup", "name", "battle")]
    if not typed:
        return typing(chance, commands, users, resolved)
    typed[0]["focused"] = True
    return data


def custom_id(chance: Random) -> str:
    """One of ours, or nearly."""
    version = chance.choice((VERSION, VERSION, VERSION, VERSION, "b0", "b2", "b", "b" + "9" * 60, "b１", ""))
    name = chance.choice(sorted({*COMMANDS, *LINELESS})) if chance.random() < 0.9 else text(chance, 60)
    argument = chance.choice(("", "abcdefgh:1", "abcdefgh", ":", "replace-", "add-0", text(chance, 90), "1:" * 40))
    return ":".join(filter(None, [version, name, argument]))[: chance.choice((100, 100, 100, 6000))]


def pressed(chance: Random) -> Json:
    """A button, with any custom_id."""
    return {"component_type": 2, "custom_id": custom_id(chance), "id": 1}


def sent(chance: Random) -> Json:
    """A form, with any fields, however they are nested."""
    fields: list[Json] = [
        {"type": 4, "id": n, "custom_id": name, "value": text(chance, 4000)}
        for n, name in enumerate(("matchup", "name", "dice", "file", "text", "new", "setting", text(chance, 90)))
        if chance.random() < 0.5
    ]
    nested = [
        {"type": 18, "id": 9, "component": field}
        if chance.random() < 0.5
        else {"type": 1, "id": 9, "components": [field]}
        for field in fields
    ]
    return {"custom_id": custom_id(chance), "components": nested}


def broken(chance: Random, data: Json) -> Json:
    """The same with something missing, something else in its place, twice, or beside it."""
    data = deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        known = list(places(data))
        if not known:
            return data
        inside, key = chance.choice(known)
        match chance.randrange(4):
            case 0:
                del inside[key]
            case 1:
                inside[key] = deepcopy(chance.choice(JUNK))
            case 2:
                inside[key] = text(chance, 300)
            case _ if isinstance(inside, list):
                inside.append(deepcopy(inside[key]))
            case _:
                inside[text(chance, 20)] = deepcopy(inside[key])
    return data


def places(thing: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value where something can be put."""
    for key, value in thing.items() if isinstance(thing, dict) else enumerate(thing):
        yield thing, key
        if isinstance(value, dict | list):
            yield from places(value)


def forged(chance: Random, discord: FakeDiscord, people: list[Person]) -> Forged:
    """Any interaction."""
    users = [str(person.id) for person in people]
    resolved = {
        "users": {str(one.id): one.user.payload() for one in people},
        "members": {str(one.id): one.user.member_payload(with_user=False, with_permissions=True) for one in people},
        "roles": {user: discord.guild.roles[0].payload() | {"id": user} for user in users},
        "attachments": {"77": _file(chance, discord)},
    }
    make: dict[Kind, Callable[[], Json]] = {
        Kind.COMMAND: lambda: command(chance, discord.commands, users, resolved),
        Kind.AUTOCOMPLETE: lambda: typing(chance, discord.commands, users, resolved),
        Kind.COMPONENT: lambda: pressed(chance),
        Kind.MODAL: lambda: sent(chance),
    }
    kind = chance.choice(list(make))
    data, whole = make[kind](), chance.random() < 0.6
    if not whole:
        return Forged(kind, broken(chance, data), False)
    return Forged(kind, data, True)


def _file(chance: Random, discord: FakeDiscord) -> Json:
    """A file that somebody attached, which may be nowhere, and says of itself what it likes."""
    name = text(chance, 60)
    file = discord.board.upload(discord.guild.channel, "setups.json", text(chance, 4000).encode(errors="replace"))
    size = chance.choice((len(file.data), 0, -1, 10**12))
    url = chance.choice((file.url, file.url, f"{discord.board.files_at}/attachments/1/1/none"))
    return {"id": "77", "filename": name, "size": size, "url": url, "proxy_url": url, "content_type": name}


def send(discord: FakeDiscord, who: Person, one: Forged, content: str) -> Interaction:
    """Send it as if Discord had let it through; a press under a message of ours with this content."""
    source = None
    if one.kind in (Kind.COMPONENT, Kind.MODAL):
        shown = discord.old_message(content, {"Press": str(one.data.get("custom_id"))})
        source = discord.board.posts[shown.id]
    asked = discord.desk.begin(one.kind, who.user, who.channel, one.data, str(one.data)[:300], source=source)
    asked.excused = not one.whole
    return asked
