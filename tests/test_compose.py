"""compose.yaml is what its specification allows and what this project has: settings, limits, ports, and no secrets.

No Docker runs where these tests do, so they read the file; nothing here starts it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from ruamel.yaml import YAML

from bot.command_line import read_words
from bot.discord_app.http.server import HEALTH, INTERACTIONS
from bot.settings import NAMES, PREFIX, load
from tests.helpers.documents import DOCS, ROOT

TEXT = (ROOT / "compose.yaml").read_text()
REQUIRED = re.compile(r"\$\{(\w+):\?[^}]+\}")
"""A variable that somebody has to set, with the sentence for whoever has not."""
OUR_OWN = "bot", "http"
"""The services that run Sandtable."""
LARGEST_FLEET = 290
"""Megabytes that a worker takes for a moment."""
OF_POSTGRES, BESIDE = 97, 3
"""PostgreSQL's connections for all but its administrators; those of a process beside the ones for its work."""


def read(text: str) -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(text)
    return found


COMPOSE = read(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BALANCER: str = COMPOSE["configs"]["balancer"]["content"]


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    """The schema of the Compose Specification, which a package for tests brings along."""
    shipped = files("check_jsonschema").joinpath("builtin_schemas", "vendor", "compose-spec.json")
    return Draft202012Validator(json.loads(shipped.read_text()))


def filled(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of a container, where everybody has set `example`."""
    return {name: REQUIRED.sub("example", value) for name, value in environment.items()}


def processes() -> Iterator[str]:
    """The service of each process of Sandtable."""
    for name in OUR_OWN:
        yield from [name] * SERVICES[name].get("deploy", {}).get("replicas", 1)


def test_the_compose_file_follows_the_specification(schema: Draft202012Validator) -> None:
    schema.validate(COMPOSE)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("mem_limit", "memory_limit"),
        ("interval", "every"),
        ("restart: unless-stopped", "restart: 5"),
        ("{replicas", "{copies"),
    ],
)
def test_the_compose_specification_refuses_mistakes(schema: Draft202012Validator, right: str, wrong: str) -> None:
    assert right in TEXT
    with pytest.raises(ValidationError):
        schema.validate(read(TEXT.replace(right, wrong)))


@pytest.mark.parametrize("service", OUR_OWN)
def test_each_service_has_existing_and_right_settings(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = filled(SERVICES[service]["environment"])
    assert {name.removeprefix(PREFIX).lower() for name in environment} <= set(NAMES)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = load()
    assert settings.bare_token == "example"
    user, password = SERVICES["postgres"]["environment"]["POSTGRES_USER"], "example"
    assert settings.database == f"postgresql://{user}:{password}@postgres/{user}"
    assert settings.redis == "redis://redis:6379/0"
    assert settings.http_host == ("0.0.0.0" if service == "http" else "127.0.0.1")
    assert read_words(SERVICES[service]["command"]).command == {"bot": "discord"}.get(service, service)


def test_the_compose_file_has_no_secret() -> None:
    """Passwords and tokens have to be set by whoever starts it, who is told what is missing."""
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|TOKEN|DATABASE", name):
                left = REQUIRED.sub("", value)
                assert left in ("", "postgresql://sandtable:@postgres/sandtable"), name
    variables = re.findall(r"(?<!\$)\$\{?(\w+)", TEXT)
    assert set(variables) == set(REQUIRED.findall(TEXT)) == {"SANDTABLE_TOKEN", "POSTGRES_PASSWORD"}
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/.env", "/certificate.pem"} <= set(ignored)


def test_the_build_context_of_the_image_has_no_secret() -> None:
    rules = (ROOT / ".dockerignore").read_text().splitlines()
    assert rules[0] == "*"
    assert not any(re.match(r"!\W*(\.env|certificate|compose|\*|\.git)", rule) for rule in rules)
    assert all(SERVICES[name]["build"] == "." for name in OUR_OWN)


def test_the_memory_limits_exceed_the_measured_memory() -> None:
    (evening,) = re.findall(r"after an evening of 10 000 commands \| (\d+) MB", DOCS["performance.md"].text)
    assert f"up to {LARGEST_FLEET} MB" in DOCS["performance.md"].text
    limits = {name: megabytes(service["mem_limit"]) for name, service in SERVICES.items()}
    assert all(limits[name] >= int(evening) + LARGEST_FLEET for name in OUR_OWN)
    (most,) = re.findall(r"(\d+)mb", " ".join(SERVICES["redis"]["command"]))
    assert limits["redis"] > int(most)


def megabytes(limit: str) -> int:
    return int(limit[:-1]) * {"m": 1, "g": 1024}[limit[-1]]


def test_postgresql_has_enough_connections_for_all_processes() -> None:
    assert len(list(processes())) * (load().most_connections + BESIDE) <= OF_POSTGRES


def test_services_wait_for_the_health_of_their_dependencies() -> None:
    for name in OUR_OWN:
        for other, how in SERVICES[name]["depends_on"].items():
            assert how == {"condition": "service_healthy"}
            assert "test" in SERVICES[other]["healthcheck"]
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()
    assert {service["restart"] for service in SERVICES.values()} == {"unless-stopped"}


def test_only_the_balancer_is_reachable_and_data_is_not_shared() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"balancer"}
    assert all(SERVICES[name]["networks"] == ["store"] for name in ("postgres", "redis"))
    assert COMPOSE["networks"]["store"] == {"internal": True}
    # Processes that shared a named volume would find another bot in their data folder.
    assert "volumes" not in SERVICES["http"]
    assert "VOLUME /data" in (ROOT / "Dockerfile").read_text()
    named = [volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])]
    assert sorted(named) == sorted(COMPOSE["volumes"])


def test_the_balancer_knows_all_processes_and_their_paths() -> None:
    replicas = SERVICES["http"]["deploy"]["replicas"]
    assert f"server-template http {replicas} http:{load().http_port}\n" in BALANCER
    assert f"unless {{ path {INTERACTIONS} }}" in BALANCER
    assert f"httpchk GET {HEALTH}" in BALANCER
    assert (
        re.findall(r"crt /run/secrets/(\w+)", BALANCER) == SERVICES["balancer"]["secrets"] == list(COMPOSE["secrets"])
    )
    assert "$" not in BALANCER, "Compose would fill it in"
    assert {name for name, service in SERVICES.items() if service.get("profiles") == ["http"]} == {"http", "balancer"}


def test_the_hosting_page_names_every_file_and_variable_of_compose() -> None:
    page = DOCS["hosting.md"].text
    assert all(name in page for name in (*REQUIRED.findall(TEXT), "certificate.pem", "--profile http", ".env"))
    assert Path(COMPOSE["secrets"]["certificate"]["file"]).name in page
