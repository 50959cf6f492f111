"""Limits of buttons, menus, layouts and form fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .wire import Json, Problem

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SELECTS = {3, 5, 6, 7, 8}
RADIOS = 21
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = 9, 10, 11, 12, 13, 14, 17, 18
LAYOUTS = {SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER}
LINK, PREMIUM = 5, 6

ROWS = 5
BUTTONS_IN_A_ROW = 5
COMPONENTS_V2_TOTAL = 40
TEXT_V2_TOTAL = 4000

Found = Iterator[Problem]


def walk(components: list[Json], at: str = "components") -> Iterator[tuple[str, Json]]:
    """Every component with its path, nested ones after the one that holds them."""
    for index, component in enumerate(components):
        where = f"{at}.{index}"
        yield where, component
        yield from walk(component.get("components") or [], f"{where}.components")
        for single in ("accessory", "component"):
            if inner := component.get(single):
                yield f"{where}.{single}", inner


def component_problems(components: list[Json], at: str, *, is_v2: bool) -> list[Problem]:
    """What is wrong with the components of a message."""
    every = list(walk(components, at))
    found = list(_custom_id_problems(every))
    for where, component in every:
        found += _one(where, component, is_v2=is_v2)
    if is_v2:
        found += _v2_totals(every, at)
    elif len(components) > ROWS:
        found.append(Problem(at, f"Must be {ROWS} or fewer in length."))
    for where, component in zip((f"{at}.{n}" for n in range(len(components))), components, strict=False):
        if not is_v2 and component.get("type") != ROW:
            found.append(Problem(f"{where}.type", "Only action rows stand at the top of a message."))
    return found


def modal_component_problems(components: list[Json], at: str) -> list[Problem]:
    """What is wrong with the fields of a form."""
    every = list(walk(components, at))
    found = list(_custom_id_problems(every))
    for where, component in every:
        kind = component.get("type")
        if kind == LABEL:
            found += _length(where, component, "label", 45, 1)
            found += _length(where, component, "description", 100)
        elif kind == TEXT_INPUT:
            found += _text_input(where, component)
        elif kind in SELECTS:
            found += _select(where, component)
        elif kind == RADIOS:
            found += _offers(where, component, 2, 10)
        elif kind == BUTTON or kind in LAYOUTS - {TEXT}:
            found.append(Problem(f"{where}.type", f"Type {kind} does not belong in a form."))
    return found


def _length(where: str, component: Json, key: str, limit: int, least: int = 0) -> Found:
    text = component.get(key)
    if isinstance(text, str) and not least <= len(text) <= limit:
        yield Problem(f"{where}.{key}", f"Must be between {least} and {limit} in length, has {len(text)}.")


def _custom_id_problems(every: list[tuple[str, Json]]) -> Found:
    ids = Counter(component["custom_id"] for _, component in every if component.get("custom_id"))
    for where, component in every:
        yield from _length(where, component, "custom_id", 100, 1)
        if ids[component.get("custom_id", "")] > 1:
            yield Problem(f"{where}.custom_id", "Component custom id cannot be duplicated.")


def _one(where: str, component: Json, *, is_v2: bool) -> Found:
    kind = component.get("type")
    if kind in LAYOUTS and not is_v2:
        yield Problem(f"{where}.type", f"Type {kind} needs the IS_COMPONENTS_V2 flag.")
    if kind == ROW:
        yield from _row(where, component)
    elif kind == BUTTON:
        yield from _button(where, component)
    elif kind in SELECTS:
        yield from _select(where, component)
    elif kind == SECTION:
        yield from _count(where, component, "components", 1, 3)
        if not component.get("accessory"):
            yield Problem(f"{where}.accessory", "This field is required.")
    elif kind == GALLERY:
        yield from _count(where, component, "items", 1, 10)
    elif kind not in LAYOUTS:
        yield Problem(f"{where}.type", f"Type {kind} does not belong in a message.")


def _count(where: str, component: Json, key: str, least: int, most: int) -> Found:
    count = len(component.get(key) or [])
    if not least <= count <= most:
        yield Problem(f"{where}.{key}", f"Must be between {least} and {most} in length, has {count}.")


def _row(where: str, row: Json) -> Found:
    inside = row.get("components") or []
    yield from _count(where, row, "components", 1, BUTTONS_IN_A_ROW)
    kinds = [component.get("type") for component in inside]
    if any(kind in SELECTS for kind in kinds) and len(kinds) > 1:
        yield Problem(f"{where}.components", "A menu has a row of its own.")
    if any(kind != BUTTON and kind not in SELECTS for kind in kinds):
        yield Problem(f"{where}.components", "A row holds buttons or one menu.")


def _button(where: str, button: Json) -> Found:
    yield from _length(where, button, "label", 80)
    has_id, has_url = bool(button.get("custom_id")), bool(button.get("url"))
    style = button.get("style")
    if style == LINK and (has_id or not has_url):
        yield Problem(where, "A link button has a url and no custom id.")
    if style not in (LINK, PREMIUM) and (has_url or not has_id):
        yield Problem(where, "A button has a custom id and no url.")
    if style != PREMIUM and not button.get("label") and not button.get("emoji"):
        yield Problem(where, "A button has a label or an emoji.")


def _select(where: str, select: Json) -> Found:
    yield from _length(where, select, "placeholder", 150)
    if not select.get("custom_id"):
        yield Problem(f"{where}.custom_id", "This field is required.")
    if len(select.get("default_values") or []) > (select.get("max_values") or 1):
        yield Problem(f"{where}.default_values", "More are chosen than can be.")
    if select.get("type") == STRING_SELECT:
        yield from _offers(where, select, 1, 25)


def _offers(where: str, select: Json, least: int, most: int) -> Found:
    """What is wrong with the options of a menu, or of buttons of which one is chosen."""
    yield from _count(where, select, "options", least, most)
    if sum(bool(option.get("default")) for option in select.get("options") or []) > (select.get("max_values") or 1):
        yield Problem(f"{where}.options", "More are chosen than can be.")
    values = Counter(option.get("value") for option in select.get("options") or [])
    if any(count > 1 for count in values.values()):
        yield Problem(f"{where}.options", "The specified option value is already used.")
    for index, option in enumerate(select.get("options") or []):
        for key, least in (("label", 1), ("value", 1), ("description", 0)):
            yield from _length(f"{where}.options.{index}", option, key, 100, least)


def _text_input(where: str, field: Json) -> Found:
    yield from _length(where, field, "label", 45, 1)
    yield from _length(where, field, "placeholder", 100)
    yield from _length(where, field, "value", min(4000, field.get("max_length") or 4000))
    if (field.get("min_length") or 0) > (field.get("max_length") or 4000):
        yield Problem(f"{where}.min_length", "Is above max_length.")


def _v2_totals(every: list[tuple[str, Json]], at: str) -> Found:
    if len(every) > COMPONENTS_V2_TOTAL:
        yield Problem(at, f"At most {COMPONENTS_V2_TOTAL} components counted with nesting, has {len(every)}.")
    text = sum(len(component.get("content") or "") for _, component in every if component.get("type") == TEXT)
    if text > TEXT_V2_TOTAL:
        yield Problem(at, f"At most {TEXT_V2_TOTAL} characters of text, has {text}.")
