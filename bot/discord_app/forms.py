"""Forms: their fields as Discord shows them, and what was filled in."""

from collections.abc import Iterable, Iterator
from typing import Any

import discord

from bot.replies import Field, Form

MOST_RADIOS = 10
LONGEST_LABEL, LONGEST_HINT = 45, 100


def modal_of(form: Form, custom_id: str) -> discord.ui.Modal:
    """A form as Discord shows it; `custom_id` says what becomes of what is filled in."""
    modal = discord.ui.Modal(title=form.title, custom_id=custom_id)
    for field in form.fields:
        label, hint = field.label[:LONGEST_LABEL], field.hint[:LONGEST_HINT] or None
        modal.add_item(discord.ui.Label(text=label, description=hint, component=_component(field)))
    modal.stop()  # discord.py would keep it until it is sent, which it may never be; we know forms by their ids
    return modal


def _component(field: Field) -> discord.ui.Item[Any]:
    """What a field is filled in with: a line to type, buttons to choose from, or a menu where these are many."""
    if field.role:
        role = discord.SelectDefaultValueType.role
        now = [discord.SelectDefaultValue(id=int(field.value), type=role)] if field.value else []
        return discord.ui.RoleSelect[Any](custom_id=field.option, min_values=0, default_values=now, required=False)
    if len(field.choices) > MOST_RADIOS:
        offers = [
            discord.SelectOption(label=label, value=value, description=about or None, default=value == field.value)
            for value, label, about in field.choices
        ]
        return discord.ui.Select[Any](custom_id=field.option, options=offers)
    if field.choices:
        radios = [
            discord.RadioGroupOption(label=label, value=value, description=about or None, default=value == field.value)
            for value, label, about in field.choices
        ]
        return discord.ui.RadioGroup[Any](custom_id=field.option, options=radios)
    return discord.ui.TextInput[Any](default=field.value or None, max_length=field.most, custom_id=field.option)


def typed_in(components: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """What was typed into the fields of a form, by the names of the options, however Discord nests them."""
    for component in components:
        if "value" in component:
            yield str(component["custom_id"]), str(component["value"] or "")
        if "values" in component:
            yield str(component["custom_id"]), ",".join(component["values"])
        yield from typed_in([*component.get("components", ()), *filter(None, [component.get("component")])])
