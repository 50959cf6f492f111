"""The REST side: routes, the checks every request passes, faults on order, and a record of it all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from .board import Part, Parts
from .interactions import Interaction
from .openapi import Oracle
from .ratelimits import Buckets, Fault, Faults
from .timing import Clock
from .violations import Violations
from .wire import API_PATH, ApiError, Json, Problem, invalid_form

JSON_TYPE = "application/json"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
FIELD = re.compile(r"\r\n([\w-]+): ([^\r]*)")
NAMED = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass(eq=False)
class Request:
    """One request as it came: `route` is the template, `body` the JSON or `payload_json`, `at` the clock."""

    method: str
    path: str
    at: float
    route: str = ""
    params: dict[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    parts: Parts = ()
    status: int = 0
    answer: Any = field(default=None, repr=False)
    interaction: Interaction | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.method} {self.path.removeprefix(API_PATH)}"


Handler = Callable[[Request], Any]


@dataclass(frozen=True)
class Route:
    """`template` as in Discord's API description; `is_open` routes need no Authorization."""

    method: str
    template: str
    handler: Handler
    is_open: bool = False
    body: type | None = None
    status: int = 200

    @property
    def key(self) -> str:
        return route_key(f"{self.method} {self.template}")

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The values of the placeholders, if this is the route."""
        pattern = PLACEHOLDER.sub(r"(?P<\1>[^/]+)", self.template)
        found = re.fullmatch(pattern, path) if method == self.method else None
        return found.groupdict() if found else None


def route_key(route: str) -> str:
    """A route by whatever names its placeholders go: "PATCH /channels/{id}" is "PATCH /channels/{}"."""
    return PLACEHOLDER.sub("{}", route)


class Rest:
    """Everything under /api/v10. A request passes: route, token, body, faults, description, handler."""

    def __init__(self, token: str, clock: Clock, violations: Violations, oracle: Oracle | None) -> None:
        self.requests: list[Request] = []
        self.routes: list[Route] = []
        self.buckets = Buckets(clock)
        self.faults = Faults()
        self.interaction_of: Callable[[str], Interaction | None] = lambda _: None
        self._token = token
        self._clock = clock
        self._violations = violations
        self._oracle = oracle

    def named(self, route: str) -> str:
        """The key of a prepared route; names that no route has are a slip of the test."""
        key = route_key(route)
        if key not in {known.key for known in self.routes}:
            raise AssertionError(f"no route {route!r}; there are {[r.key for r in self.routes]}")
        return key

    async def serve(self, raw: web.Request) -> web.Response:
        """Answer one request, whatever it is, and write it down."""
        request = Request(raw.method, raw.path, self._clock.now(), query=dict(raw.query))
        self.requests.append(request)
        headers: dict[str, str] = {"Via": "1.1 stand-in"}
        try:
            request.status, request.answer = await self._answer(raw, request, headers)
        except ApiError as error:
            request.status, request.answer = error.status, error.payload()
            if error.mistake:
                self._violations.add(str(request), f"{error.status} {error}")
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # Not a 5xx: discord.py would repeat those for half a minute, and this needs to be seen.
            request.status, request.answer = 400, {"message": repr(error), "code": 0}
            self._violations.add(str(request), f"the stand-in could not make sense of it: {error!r}")
        self._tell_interaction(request)
        if request.answer is None:
            return web.Response(status=request.status, headers=headers)
        content = json.dumps(request.answer).encode()
        return web.Response(status=request.status, body=content, content_type=JSON_TYPE, headers=headers)

    async def _answer(self, raw: web.Request, request: Request, headers: dict[str, str]) -> tuple[int, Any]:
        route = self._route(request)
        self._authorize(raw, route)
        request.body, request.parts = await _read(raw)
        wait = self.buckets.hit(route.key, f"{route.key}:{_major(request)}", headers)
        if fault := self.faults.take(route.key):
            return _faulty(fault, headers)
        if wait is not None:
            return _faulty(Fault(429, retry_after=wait), headers)
        if route.body is not None and not isinstance(request.body, route.body):
            raise invalid_form([Problem("", f"a JSON {route.body.__name__} is required")])
        if self._oracle and (route.body or request.body is not None):
            problems = self._oracle.request_problems(request.method, route.template, request.body)
            if problems:
                raise invalid_form(problems)
        answer = route.handler(request)
        return (204, None) if answer is None else (route.status, answer)

    def _route(self, request: Request) -> Route:
        path = request.path.removeprefix(API_PATH)
        for route in self.routes:
            params = route.match(request.method, path)
            if params is not None:
                request.route, request.params = route.template, params
                token = params.get("interaction_token") or params.get("webhook_token", "")
                request.interaction = self.interaction_of(token)
                return route
        raise ApiError(404, 0, "404: Not Found", [Problem("", "nobody prepared this route")])

    def _authorize(self, raw: web.Request, route: Route) -> None:
        given = raw.headers.get("Authorization")
        if given == f"Bot {self._token}" or (given is None and route.is_open):
            return
        what = "missing" if given is None else "wrong"
        raise ApiError(401, 0, "401: Unauthorized", [Problem("Authorization", what)])

    def _tell_interaction(self, request: Request) -> None:
        if interaction := request.interaction:
            after = request.at - interaction.started
            is_callback = isinstance(request.body, dict) and "callback" in request.route
            kind = f" type {request.body.get('type')}" if is_callback else ""
            what = f"after {after:.3f} s: {request.method} {request.route}{kind} -> {request.status}"
            if request.status >= 400:
                what += f" {json.dumps(request.answer)}"
                interaction.excused |= request.status != 429
            interaction.history.append(what)
            interaction.bell.ring()  # a refusal excuses the silence, and somebody may wait for that


async def _read(raw: web.Request) -> tuple[Any, Parts]:
    """The body, by the type it says it has."""
    if not raw.can_read_body:
        return None, ()
    kind, _, edge = raw.headers.get("Content-Type", "").partition(";")
    if kind == JSON_TYPE:
        return _json(await raw.read()), ()
    if kind != "multipart/form-data":
        what = f'Expected "Content-Type" header to be application/json, is {kind}.'
        raise invalid_form([Problem("", what)])
    body: Any = None
    parts: list[Part] = []
    boundary = b"--" + edge.partition("boundary=")[2].strip('"').encode()
    # aiohttp would read the parts too, but five times slower, which is a tenth of the time of most tests.
    for piece in (b"\r\n" + await raw.read()).split(b"\r\n" + boundary)[1:-1]:
        head, _, data = piece.partition(b"\r\n\r\n")
        fields = {name.lower(): value for name, value in FIELD.findall(head.decode())}
        names = dict(NAMED.findall(fields["content-disposition"]))
        if names.get("name") == "payload_json":
            body = _json(data)
        else:
            parts.append(Part(names.get("name", ""), names.get("filename"), fields.get("content-type", ""), data))
    return body, parts


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _faulty(fault: Fault, headers: dict[str, str]) -> tuple[int, Json]:
    """The answer of a route that is limited or broken."""
    if fault.status != 429:
        return fault.status, {"message": f"{fault.status}: ordered by the test", "code": fault.code}
    headers |= {"Retry-After": str(fault.retry_after), "X-RateLimit-Remaining": "0"}
    headers["X-RateLimit-Scope"] = "global" if fault.everywhere else "user"
    if fault.everywhere:
        headers["X-RateLimit-Global"] = "true"
    return 429, {
        "message": "You are being rate limited.",
        "retry_after": fault.retry_after,
        "global": fault.everywhere,
    }


def _major(request: Request) -> str:
    """The parameters that have a rate limit of their own."""
    names = ("channel_id", "guild_id", "webhook_id", "webhook_token", "interaction_token")
    return "+".join(request.params[name] for name in names if name in request.params)
