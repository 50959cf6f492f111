"""Forms: their fields as Discord shows them, and what was filled in."""

from collections.abc import Iterator
from typing import Any

import discord

from bot.replies import Choice, Field, Form

MOST_RADIOS = 10
LONGEST_LABEL, LONGEST_HINT, LONGEST_CHOICE = 45, 100, 100


def modal_of(form: Form, custom_id: str) -> discord.ui.Modal:
    """A form as Discord shows it; `custom_id` says what becomes of what is filled in."""
    modal = discord.ui.Modal(title=form.title[:LONGEST_LABEL], custom_id=custom_id)
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
        offers = [discord.SelectOption(**_choice(choice, field.value)) for choice in field.choices]
        return discord.ui.Select[Any](custom_id=field.option, options=offers)
    if field.choices:
        radios = [discord.RadioGroupOption(**_choice(choice, field.value)) for choice in field.choices]
        return discord.ui.RadioGroup[Any](custom_id=field.option, options=radios)
    typed = field.value[: field.most] or None
    return discord.ui.TextInput[Any](default=typed, max_length=field.most, custom_id=field.option)


def _choice(choice: Choice, now: str) -> dict[str, Any]:
    """One of the values to choose from; `now` is the one that is chosen already."""
    label, about = choice.label[:LONGEST_CHOICE], choice.about[:LONGEST_CHOICE] or None
    return {"label": label, "value": choice.value, "description": about, "default": choice.value == now}


def typed_in(components: Any) -> Iterator[tuple[str, str]]:
    """What was typed into the fields of a form, by the names of the options, however Discord nests them."""
    for component in components if isinstance(components, list) else ():
        if not isinstance(component, dict):
            continue
        if "value" in component:
            yield str(component.get("custom_id")), str(component["value"] or "")
        if isinstance(values := component.get("values"), list):
            yield str(component.get("custom_id")), ",".join(map(str, values))
        yield from typed_in(component.get("components"))
        yield from typed_in([component.get("component")])
