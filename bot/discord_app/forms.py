"""Forms: makes Discord's modals from them, and reads the values that people filled in."""

from collections.abc import Iterator
from typing import Any

import discord

from bot.replies import Choice, Form, FormField

MOST_RADIOS = 10
LONGEST_LABEL, LONGEST_HINT, LONGEST_CHOICE = 45, 100, 100


def modal_of(form: Form, custom_id: str) -> discord.ui.Modal:
    """Return a form as a modal of Discord; `custom_id` names the command for its values."""
    modal = discord.ui.Modal(title=form.title[:LONGEST_LABEL], custom_id=custom_id)
    for field in form.fields:
        label, hint = field.label[:LONGEST_LABEL], field.hint[:LONGEST_HINT] or None
        modal.add_item(discord.ui.Label(text=label, description=hint, component=_component(field)))
    modal.stop()  # discord.py would keep it until it is sent, which it may never be; we know forms by their ids
    return modal


def _component(field: FormField) -> discord.ui.Item[Any]:
    """Return the control for a field: a text input, radio buttons, a menu for many choices, or a menu of roles."""
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
    """Return the arguments of one choice; `now` is the value that is chosen at first."""
    label, about = choice.label[:LONGEST_CHOICE], choice.about[:LONGEST_CHOICE] or None
    return {"label": label, "value": choice.value, "description": about, "default": choice.value == now}


def filled_values(components: Any) -> Iterator[tuple[str, str]]:
    """Yield the option and the value of each field in a submitted form, however Discord nests them."""
    for component in components if isinstance(components, list) else ():
        if not isinstance(component, dict):
            continue
        if "value" in component:
            yield str(component.get("custom_id")), str(component["value"] or "")
        if isinstance(values := component.get("values"), list):
            yield str(component.get("custom_id")), ",".join(map(str, values))
        yield from filled_values(component.get("components"))
        yield from filled_values([component.get("component")])
