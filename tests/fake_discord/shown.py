"""What a person sees: messages, files, buttons, forms and suggestions, as they are at this moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .component_limits import BUTTON, LABEL, ROW, SELECTS, TEXT_INPUT, walk
from .wire import COMPONENTS_V2, ImpossibleError, Json

STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium"}
FIELD_KINDS = {
    TEXT_INPUT: "text",
    3: "choice",
    5: "user",
    6: "role",
    7: "mentionable",
    8: "channel",
    19: "file",
    21: "radio",
    22: "checks",
    23: "check",
}


@dataclass(frozen=True)
class Choice:
    """One suggestion while typing."""

    name: str
    value: str | int | float


@dataclass(frozen=True)
class File:
    """A file on a message, as the bot sent it; `description` is the alt text."""

    id: int
    name: str
    data: bytes = field(repr=False)
    description: str | None = None
    url: str = field(default="", repr=False)


@dataclass(frozen=True)
class Button:
    """`style` is one of primary, secondary, success, danger, link, premium."""

    label: str
    custom_id: str
    disabled: bool = False
    style: str = "secondary"
    emoji: str = ""
    url: str = ""


@dataclass(frozen=True)
class Menu:
    """A menu on a message; `options` maps each label to its value."""

    placeholder: str
    custom_id: str
    disabled: bool
    kind: int
    options: dict[str, str]


@dataclass(frozen=True)
class Shown:
    """A message as it looks now. It does not change: ask `discord.messages[shown.id]` for the latest look."""

    id: int
    author: str
    content: str
    private: bool
    thinking: bool
    deferred: bool
    edited: int
    files: tuple[File, ...]
    buttons: tuple[Button, ...]
    menus: tuple[Menu, ...]
    embeds: tuple[Json, ...]
    components: tuple[Json, ...] = field(repr=False)
    channel_id: int = field(repr=False)
    reply_to: int | None
    pings: tuple[str, ...]
    """Names of those the message notified by a mention; "everyone" among them."""
    flags: int = field(repr=False)

    @property
    def is_v2(self) -> bool:
        return bool(self.flags & COMPONENTS_V2)

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons, in order."""
        return [button.label for button in self.buttons]

    def button(self, label: str) -> Button:
        """The button with that label, or else with that emoji or custom id."""
        for key in ("label", "emoji", "custom_id"):
            for button in self.buttons:
                if getattr(button, key) == label:
                    return button
        raise ImpossibleError(f"no button {label!r} on message {self.id}, only {self.labels}: {self.content!r}")

    def menu(self, name: str) -> Menu:
        """The menu with that placeholder or custom id."""
        for menu in self.menus:
            if name in (menu.placeholder, menu.custom_id):
                return menu
        names = [menu.placeholder or menu.custom_id for menu in self.menus]
        raise ImpossibleError(f"no menu {name!r} on message {self.id}, only {names}")


@dataclass(frozen=True)
class Field:
    """A field of a form. `value` is what stands in it already; `options` maps labels to values."""

    label: str
    custom_id: str
    value: str
    kind: str
    required: bool
    min_length: int
    max_length: int
    description: str = ""
    placeholder: str = ""
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Modal:
    """A form on the screen of the person whose press opened it; `interaction_id` says by which one."""

    title: str
    custom_id: str
    fields: tuple[Field, ...]
    texts: tuple[str, ...]
    components: tuple[Json, ...] = field(repr=False)
    interaction_id: int = field(repr=False)

    def field(self, name: str) -> Field:
        """The field with that label or custom id."""
        for one in self.fields:
            if name in (one.label, one.custom_id):
                return one
        labels = [one.label for one in self.fields]
        raise ImpossibleError(f"no field {name!r} in the form {self.title!r}, only {labels}")


def buttons_of(components: list[Json]) -> tuple[Button, ...]:
    """Every button, wherever it is nested."""
    return tuple(
        Button(
            label=component.get("label") or "",
            custom_id=component.get("custom_id") or "",
            disabled=bool(component.get("disabled")),
            style=STYLES[component["style"]],
            emoji=(component.get("emoji") or {}).get("name") or "",
            url=component.get("url") or "",
        )
        for _, component in walk(components)
        if component["type"] == BUTTON
    )


def menus_of(components: list[Json]) -> tuple[Menu, ...]:
    """Every menu, wherever it is nested."""
    return tuple(
        Menu(
            placeholder=component.get("placeholder") or "",
            custom_id=component["custom_id"],
            disabled=bool(component.get("disabled")),
            kind=component["type"],
            options=_options(component),
        )
        for _, component in walk(components)
        if component["type"] in SELECTS
    )


def modal_of(data: Json, interaction_id: int) -> Modal:
    """The form that a callback of type 9 opens."""
    components: list[Json] = data["components"]
    return Modal(
        title=data["title"],
        custom_id=data["custom_id"],
        fields=tuple(_fields(components)),
        texts=tuple(c["content"] for _, c in walk(components) if c["type"] == 10),
        components=tuple(components),
        interaction_id=interaction_id,
    )


def _fields(components: list[Json]) -> Iterable[Field]:
    for component in components:
        if component["type"] == LABEL:
            yield _field(component["component"], component["label"], component.get("description") or "")
        elif component["type"] == ROW:
            yield from (_field(inner, inner.get("label") or "", "") for inner in component["components"])


def _field(component: Json, label: str, description: str) -> Field:
    chosen = [option["value"] for option in component.get("options") or [] if option.get("default")]
    chosen += [str(thing["id"]) for thing in component.get("default_values") or []]
    value = component.get("value") or ",".join(chosen)
    if component["type"] == 23 and component.get("default"):
        value = "true"
    return Field(
        label=label,
        custom_id=component["custom_id"],
        value=value,
        kind=FIELD_KINDS[component["type"]],
        required=component.get("required", True) is not False and component["type"] != 23,
        min_length=component.get("min_length") or 0,
        max_length=component.get("max_length") or 4000,
        description=description,
        placeholder=component.get("placeholder") or "",
        options=_options(component),
    )


def _options(component: Json) -> dict[str, str]:
    return {option["label"]: option["value"] for option in component.get("options") or []}
