"""Filling in what a person is asked for: the options of a command and the fields of a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .shown import Field, File, Modal
from .wire import ImpossibleError, Json
from .world import Channel, Role, User

Value = str | int | float | bool | User | Role | Channel | File
Values = Mapping[str, Value]

STRING, INTEGER, BOOLEAN, NUMBER = 3, 4, 5, 10
PLAIN: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    NUMBER: (int, float),
}
THINGS: dict[int, tuple[type, ...]] = {6: (User,), 7: (Channel,), 8: (Role,), 9: (User, Role), 11: (File,)}
NESTING = (1, 2)


def command_data(command: Json, words: Sequence[str], values: Values, focused: str | None = None) -> Json:
    """The `data` of a command as a client would send it.

    `words` leads to a subcommand; `focused` is the option being typed, whose limits do not count yet.
    """
    resolved: Json = {}
    options = _nested(command, list(words), values, focused, resolved, command["name"])
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if options:
        data["options"] = options
    if resolved:
        data["resolved"] = resolved
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def _nested(
    level: Json, words: list[str], values: Values, focused: str | None, resolved: Json, name: str
) -> list[Json]:
    known: list[Json] = level.get("options", [])
    subcommands = {option["name"]: option for option in known if option["type"] in NESTING}
    if not words:
        if subcommands:
            raise ImpossibleError(f"/{name} needs a subcommand: {sorted(subcommands)}")
        return _filled(known, values, focused, resolved, name)
    if words[0] not in subcommands:
        raise ImpossibleError(f"/{name} has no subcommand {words[0]!r}, only {sorted(subcommands)}")
    chosen = subcommands[words[0]]
    inner = _nested(chosen, words[1:], values, focused, resolved, f"{name} {words[0]}")
    return [{"type": chosen["type"], "name": chosen["name"], "options": inner}]


def _filled(known: list[Json], values: Values, focused: str | None, resolved: Json, name: str) -> list[Json]:
    names = [option["name"] for option in known]
    for given in values:
        if given not in names:
            raise ImpossibleError(f"/{name} has no option {given!r}, only {names}")
    filled = []
    for option in known:
        if option["name"] in values:
            filled.append(_option(option, values[option["name"]], focused, resolved))
        elif option.get("required") and focused is None:
            raise ImpossibleError(f"/{name} needs {option['name']!r}")
    return filled


def _option(option: Json, value: Value, focused: str | None, resolved: Json) -> Json:
    filled: Json = {"type": option["type"], "name": option["name"]}
    if option["name"] == focused:
        if not option.get("autocomplete"):
            raise ImpossibleError(f"{option['name']!r} has no autocomplete")
        return filled | {"value": value, "focused": True}
    kind = option["type"]
    if not isinstance(value, PLAIN.get(kind) or THINGS[kind]) or (isinstance(value, bool) and kind != BOOLEAN):
        raise ImpossibleError(f"{option['name']!r} (type {kind}) cannot be {value!r}")
    if isinstance(value, User | Role | Channel | File):
        _resolve(value, resolved)
        return filled | {"value": str(value.id)}
    choices = {choice["name"]: choice["value"] for choice in option.get("choices") or []}
    if choices:
        value = choices.get(str(value), value)
        if value not in choices.values():
            raise ImpossibleError(f"{option['name']!r} cannot be {value!r}, only {sorted(choices)}")
    _check_size(option, value)
    return filled | {"value": value}


def _check_size(option: Json, value: Any) -> None:
    """Raise where the client would mark the option red."""
    size, unit = (len(value), "length") if isinstance(value, str) else (value, "value")
    if unit == "length" and size > (most := option.get("max_length") or 6000):
        raise ImpossibleError(f"{option['name']!r} has {size} characters, at most {most}")
    if unit == "length" and size < (least := option.get("min_length") or 0):
        raise ImpossibleError(f"{option['name']!r} has {size} characters, at least {least}")
    if unit == "value" and not option.get("min_value", size) <= size <= option.get("max_value", size):
        raise ImpossibleError(f"{option['name']!r} cannot be {size}")


def _resolve(value: User | Role | Channel | File, resolved: Json) -> None:
    """Add the full object behind an id, as commands carry it along."""
    key = str(value.id)
    match value:
        case User():
            resolved.setdefault("users", {})[key] = value.payload()
            member = value.member_payload(with_user=False, with_permissions=True)
            resolved.setdefault("members", {})[key] = member
        case Role():
            resolved.setdefault("roles", {})[key] = value.payload()
        case Channel():
            resolved.setdefault("channels", {})[key] = value.payload() | {"permissions": "0"}
        case File():
            resolved.setdefault("attachments", {})[key] = {
                "id": key,
                "filename": value.name,
                "size": len(value.data),
                "url": value.url,
                "proxy_url": value.url,
                "content_type": "application/octet-stream",
                "ephemeral": True,
            }


def modal_data(modal: Modal, values: Mapping[str, str]) -> Json:
    """The `data` of a submitted form; a field not named keeps what stands in it."""
    written = {modal.field(name).custom_id: value for name, value in values.items()}
    fields = {one.custom_id: one for one in modal.fields}
    components = [_submitted(component, fields, written) for component in modal.components]
    return {"custom_id": modal.custom_id, "components": components}


def _submitted(component: Json, fields: Mapping[str, Field], written: Mapping[str, str]) -> Json:
    kept: Json = {key: component[key] for key in ("type", "id") if key in component}
    if "components" in component:
        return kept | {"components": [_submitted(c, fields, written) for c in component["components"]]}
    if "component" in component:
        return kept | {"component": _submitted(component["component"], fields, written)}
    if "custom_id" not in component:
        return kept
    field = fields[component["custom_id"]]
    value = written.get(field.custom_id, field.value)
    return kept | {"custom_id": field.custom_id} | _field_value(field, value)


def _field_value(field: Field, value: str) -> Json:
    if field.required and not value:
        raise ImpossibleError(f"the field {field.label!r} must be filled in")
    if field.kind == "text":
        if value and not field.min_length <= len(value) <= field.max_length:
            raise ImpossibleError(f"{field.label!r} takes {field.min_length} to {field.max_length} characters")
        return {"value": value}
    if field.kind == "check":
        return {"value": value == "true"}
    if field.kind == "role":
        return {"values": [one for one in value.split(",") if one]}
    if field.kind not in ("choice", "radio", "checks"):
        raise ImpossibleError(f"fields of kind {field.kind!r} are not prepared")
    chosen = [field.options.get(one, one) for one in value.split(",") if one]
    for one in chosen:
        if one not in field.options.values():
            raise ImpossibleError(f"{field.label!r} cannot be {one!r}, only {sorted(field.options)}")
    if field.kind == "radio":
        return {"value": chosen[0] if chosen else None}
    return {"values": chosen}
