"""The emoji that an application owns."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from .timing import Snowflakes
from .wire import ApiError, Json, Problem, invalid_form
from .world import World

MOST, LARGEST = 2000, 256 * 1024
TAKEN = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,(.*)")


class Emojis:
    """All emoji of the application, and their pictures by id."""

    def __init__(self, ids: Snowflakes, world: World) -> None:
        self.pictures: dict[str, bytes] = {}
        self._ids = ids
        self._world = world
        self._items: dict[str, Json] = {}

    @property
    def names(self) -> dict[str, str]:
        """The id of each emoji by its name."""
        return {item["name"]: number for number, item in self._items.items()}

    def listed(self) -> Json:
        """What GET answers, in an order that nobody may count on."""
        return {"items": [*reversed(self._items.values())]}

    def create(self, name: str, image: str) -> Json:
        """Add an emoji, as POST does."""
        if not re.fullmatch(r"\w{2,32}", name, re.ASCII):
            raise invalid_form([Problem("name", "Must be between 2 and 32 in length, letters, digits and _.")])
        if name in self.names:
            raise invalid_form([Problem("name", "That name is taken.", TAKEN)])
        picture = _picture(image)
        if len(self._items) >= MOST:
            raise ApiError(400, 30008, f"Maximum number of emojis reached ({MOST})", mistake=False)
        number = str(self._ids.next())
        self.pictures[number] = picture
        self._items[number] = {
            "id": number,
            "name": name,
            "roles": [],
            "user": self._world.bot.payload(),
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }
        return self._items[number]

    def delete(self, number: str) -> None:
        if self._items.pop(number, None) is None:
            raise ApiError(404, 10014, "Unknown Emoji")
        del self.pictures[number]


def _picture(image: str) -> bytes:
    """The bytes of a data URI; refused if it is none, or too large."""
    found = IMAGE.fullmatch(image)
    try:
        picture = b64decode(found[1], validate=True) if found else b""
    except Error:
        picture = b""
    if not picture:
        raise invalid_form([Problem("image", "Invalid image data.")])
    if len(picture) > LARGEST:
        raise invalid_form([Problem("image", "File cannot be larger than 256.0 kb.", "BINARY_TYPE_MAX")])
    return picture
