"""Forms and files: makes Discord's modals, reads what people filled in, and adds the text of a sent file."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import aiohttp
import discord

from bot.commands.transfer import most_bytes, text_of, too_large_error
from bot.errors import UserError
from bot.languages import _
from bot.replies import Choice, Form, FormField
from bot.request import Request
from bot.settings import Settings

log = logging.getLogger(__name__)

PATIENCE = 10
"""Seconds to wait for a file."""
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


async def with_file(request: Request, file: discord.Attachment, settings: Settings) -> Request:
    """Add the text of a file to a request as its option "file"; UserError if it is too large or not available."""
    if file.size > most_bytes(settings):
        raise too_large_error(settings)
    try:
        async with asyncio.timeout(PATIENCE):
            data = await file.read()
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("a file of %d bytes could not be fetched: %s", file.size, error)
        raise UserError(_("Discord can't give me that file right now. Send it again in a minute.")) from None
    return replace(request, options={**request.options, "file": text_of(data)})
