"""Bodies checked against Discord's own API description, where a copy of it lies beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from .wire import Json, Problem

DESCRIPTION = Path(__file__).resolve().parents[3] / "shared" / "discord-openapi.json"
ROOT = "urn:discord"
SNOWFLAKES = {"message_id", "channel_id", "guild_id", "recipient_id"}
"""Keys whose numbers Discord takes where its description asks for strings; discord.py sends such numbers."""
LISTED_SNOWFLAKES = {"attachments", "default_values"}


class Oracle:
    """Validators for bodies, made when first asked for."""

    def __init__(self, description: Json) -> None:
        self._description = description
        self._schemas: Json = description["components"]["schemas"]
        resource = Resource.from_contents(description, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(ROOT, resource)
        alternatives = {"oneOf": self._alternatives("oneOf"), "anyOf": self._alternatives("anyOf")}
        make_class: Any = extend
        self._validator_class = make_class(Draft202012Validator, alternatives)
        self._validators: dict[tuple[str, ...], Validator | None] = {}
        self._right: set[tuple[int, str]] = set()

    def request_problems(self, method: str, template: str, body: Any) -> list[Problem]:
        """What is wrong with the JSON body (or `payload_json`) of a request."""
        return self._problems((template, method.lower(), "requestBody"), body)

    def answer_problems(self, method: str, template: str, body: Any, status: str) -> list[Problem]:
        """What is wrong with a successful answer."""
        return self._problems((template, method.lower(), "responses", status), body)

    def _problems(self, steps: tuple[str, ...], body: Any) -> list[Problem]:
        if steps not in self._validators:
            self._validators[steps] = self._validator(("paths", *steps, "content", "application/json", "schema"))
        validator = self._validators[steps]
        return [_problem(error) for error in validator.iter_errors(with_string_ids(body))] if validator else []

    def _validator(self, steps: tuple[str, ...]) -> Validator | None:
        """The validator of what stands there in the description, if anything does."""
        schema: Json = self._description
        for step in steps:
            schema = schema.get(step, {})
        if not schema:
            return None
        pointer = "/".join(quote(step.replace("/", "~1"), safe="~") for step in steps)
        made: Validator = self._validator_class({"$ref": f"{ROOT}#/{pointer}"}, registry=self._registry)
        return made

    def _alternatives(self, keyword: str) -> Any:
        """The keyword `oneOf` or `anyOf`, going straight to the branch that `type` names.

        Trying every kind of component at each place costs milliseconds and answers "not valid under any of".
        """
        try_all: Any = Draft202012Validator.VALIDATORS[keyword]

        def check(validator: Any, branches: list[Json], instance: Any, schema: Json) -> Iterator[ValidationError]:
            if any("const" in branch and branch["const"] == instance for branch in branches):
                return
            left = [b for b in branches if not (instance is not None and b.get("type") == "null")]
            if isinstance(instance, dict) and "type" in instance:
                left = [branch for branch in left if instance["type"] in self._kinds(branch)] or left
            if len(left) == 1:
                yield from self._once(validator, left[0], instance)
            else:
                yield from try_all(validator, branches, instance, schema)

        return check

    def _once(self, validator: Any, branch: Json, instance: Any) -> Iterator[ValidationError]:
        """Check a part of a body, unless an equal part was right before: most bodies are much alike."""
        key = id(branch), json.dumps(instance, sort_keys=True)
        if key not in self._right:
            wrong = list(validator.descend(instance, branch))
            if not wrong:
                self._right.add(key)
            yield from wrong

    def _kinds(self, branch: Json) -> list[int]:
        """The values of `type` which a branch allows, if it says so."""
        name = branch.get("$ref", "").rsplit("/", 1)[-1]
        kinds: list[int] = self._schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum", [])
        return kinds


def _problem(error: ValidationError) -> Problem:
    deepest = best_match([error]) or error
    where = ".".join(str(step) for step in deepest.absolute_path)
    message = deepest.message
    if len(message) > 200:
        message = f"{message[:80]} … {message[-100:]}"
    return Problem(where, message)


def with_string_ids(body: Any, *, listed: bool = False) -> Any:
    """A copy of `body` in which ids sent as numbers are strings."""
    if isinstance(body, list):
        return [with_string_ids(item, listed=listed) for item in body]
    if not isinstance(body, dict):
        return body
    made: Json = {}
    for key, value in body.items():
        if key in SNOWFLAKES or (listed and key == "id"):
            made[key] = _string(value)
        elif key == "allowed_mentions" and isinstance(value, dict):
            made[key] = {k: list(map(_string, v)) if k in ("users", "roles") else v for k, v in value.items()}
        else:
            made[key] = with_string_ids(value, listed=key in LISTED_SNOWFLAKES)
    return made


def _string(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


@cache
def oracle() -> Oracle | None:
    """The one Oracle, or None where the description is not there."""
    if not DESCRIPTION.exists():
        return None
    return Oracle(json.loads(DESCRIPTION.read_text(encoding="utf-8")))
