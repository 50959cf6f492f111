"""Limits of messages, forms and suggestions, for where Discord's API description is silent or absent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from .component_limits import component_problems, modal_component_problems
from .wire import COMPONENTS_V2, EPHEMERAL, Callback, Json, Problem

CONTENT = 2000
EMBEDS = 10
EMBED_TOTAL = 6000
FILES = 10
CHOICES = 25
CHOICE = 100
MODAL_TITLE = 45
MODAL_COMPONENTS = 5

EMBED_TEXTS = {"title": 256, "description": 4096}
EMBED_PARTS = {("author", "name"): 256, ("footer", "text"): 2048}


def too_long(where: str, text: object, limit: int, least: int = 0) -> Iterator[Problem]:
    """A problem if `text` is a string outside `least`..`limit` characters."""
    if isinstance(text, str) and not least <= len(text) <= limit:
        yield Problem(where, f"Must be between {least} and {limit} in length, has {len(text)}.")


def message_problems(message: Json, at: str = "", *, was_v2: bool = False) -> list[Problem]:
    """What is wrong with the body of a new or edited message.

    `at` is the path of that body ("data."); `was_v2` says that the message edited has the V2 flag, for good.
    """
    components = message.get("components") or []
    is_v2 = was_v2 or bool((message.get("flags") or 0) & COMPONENTS_V2)
    return [
        *too_long(f"{at}content", message.get("content"), CONTENT),
        *_embed_problems(message.get("embeds") or [], f"{at}embeds"),
        *component_problems(components, f"{at}components", is_v2=is_v2),
        *_v2_problems(message, at, is_v2=is_v2),
        *_unsupported(message, at),
    ]


def _v2_problems(message: Json, at: str, *, is_v2: bool) -> Iterator[Problem]:
    if is_v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if message.get(key):
                yield Problem(f"{at}{key}", "Cannot be used with the IS_COMPONENTS_V2 flag.")


def _unsupported(message: Json, at: str) -> Iterator[Problem]:
    for key in ("poll", "sticker_ids", "shared_client_theme"):
        if message.get(key):
            yield Problem(f"{at}{key}", "Nobody prepared this in the stand-in.")


def _embed_problems(embeds: list[Json], at: str) -> Iterator[Problem]:
    if len(embeds) > EMBEDS:
        yield Problem(at, f"Must be {EMBEDS} or fewer in length.")
    for index, embed in enumerate(embeds):
        yield from _one_embed(embed, f"{at}.{index}")
    total = sum(len(text) for text in chain.from_iterable(map(_embed_texts, embeds)))
    if total > EMBED_TOTAL:
        yield Problem(at, f"Embed size exceeds maximum size of {EMBED_TOTAL}, has {total}.")


def _one_embed(embed: Json, at: str) -> Iterator[Problem]:
    for key, limit in EMBED_TEXTS.items():
        yield from too_long(f"{at}.{key}", embed.get(key), limit)
    for (part, key), limit in EMBED_PARTS.items():
        yield from too_long(f"{at}.{part}.{key}", (embed.get(part) or {}).get(key), limit)
    fields = embed.get("fields") or []
    if len(fields) > 25:
        yield Problem(f"{at}.fields", "Must be 25 or fewer in length.")
    for index, field in enumerate(fields):
        yield from too_long(f"{at}.fields.{index}.name", field.get("name"), 256, 1)
        yield from too_long(f"{at}.fields.{index}.value", field.get("value"), 1024, 1)


def _embed_texts(embed: Json) -> Iterator[str]:
    """Every text that counts towards the 6000."""
    fields = embed.get("fields") or []
    yield from (embed.get(key) or "" for key in EMBED_TEXTS)
    yield from ((embed.get(part) or {}).get(key) or "" for part, key in EMBED_PARTS)
    yield from chain.from_iterable((field.get("name") or "", field.get("value") or "") for field in fields)


def callback_problems(callback: Json) -> list[Problem]:
    """What is wrong with the first answer to an interaction."""
    data = callback.get("data") or {}
    match callback.get("type"):
        case Callback.MESSAGE | Callback.UPDATE:
            return []  # the board checks messages, it knows what is edited
        case Callback.THINKING:
            return list(_deferral_problems(data))
        case Callback.UPDATE_LATER:
            return [Problem("data", "A deferred update carries nothing.")] if data else []
        case Callback.CHOICES:
            return list(_choice_problems(data.get("choices") or []))
        case Callback.MODAL:
            return _modal_problems(data)
        case other:
            return [Problem("type", f"Callback type {other!r} is not prepared.")]


def _deferral_problems(data: Json) -> Iterator[Problem]:
    for key in data:
        if key != "flags":
            yield Problem(f"data.{key}", "A deferred response may only carry the EPHEMERAL flag.")
    if (data.get("flags") or 0) & ~EPHEMERAL:
        yield Problem("data.flags", "A deferred response may only carry the EPHEMERAL flag.")


def _choice_problems(choices: list[Json]) -> Iterator[Problem]:
    if len(choices) > CHOICES:
        yield Problem("data.choices", f"Must be {CHOICES} or fewer in length.")
    for index, choice in enumerate(choices):
        at = f"data.choices.{index}"
        yield from too_long(f"{at}.name", choice.get("name"), CHOICE, 1)
        yield from too_long(f"{at}.value", choice.get("value"), CHOICE)


def _modal_problems(modal: Json) -> list[Problem]:
    components: list[Json] = modal.get("components") or []
    found = [
        *too_long("data.title", modal.get("title"), MODAL_TITLE, 1),
        *too_long("data.custom_id", modal.get("custom_id"), 100, 1),
        *modal_component_problems(components, "data.components"),
    ]
    if not 1 <= len(components) <= MODAL_COMPONENTS:
        found.append(Problem("data.components", f"Must be between 1 and {MODAL_COMPONENTS} in length."))
    return found


def file_problems(attachments: Any, names: Iterable[tuple[str, str | None]], at: str = "") -> list[Problem]:
    """Whether `attachments` and the parts of the form (field name, file name) speak of the same files.

    An entry whose id is the number of a part describes that part; other ids are files already there.
    """
    parts = dict(names)
    found = [Problem(name, "A file needs a filename.") for name, filename in parts.items() if not filename]
    if len(attachments or []) > FILES or len(parts) > FILES:
        found.append(Problem(f"{at}attachments", f"Must be {FILES} or fewer in length."))
    described: set[str] = set()
    for index, attachment in enumerate(attachments or []):
        field = f"files[{attachment.get('id')}]"
        where = f"{at}attachments.{index}"
        if field in parts:
            described.add(field)
            if attachment.get("filename") not in (None, parts[field]):
                found.append(Problem(where, f"{attachment['filename']!r} is not {parts[field]!r} of the part."))
        elif int(attachment.get("id", 0)) < FILES:
            found.append(Problem(where, f"There is no part {field}."))
    found += [Problem(name, "The attachments do not mention this file.") for name in parts if name not in described]
    return found
