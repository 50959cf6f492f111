"""The figures of a bot, as Prometheus reads them."""

import aiohttp
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from bot.discord_app.open_answers import AnsweringClient


def value_of(client: AnsweringClient, name: str, **labels: str) -> float | None:
    """The value of one of our figures at this moment; None if it has none."""
    return client.metrics.registry.get_sample_value(f"sandtable_{name}", labels)


async def fetch(address: str, accept: str = "") -> tuple[str, str]:
    """The type and the text of the figures at this address."""
    headers = {"Accept": accept} if accept else {}
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/metrics", headers=headers) as answer:
        assert answer.status == 200
        return answer.headers["Content-Type"], await answer.text()


async def families(address: str) -> list[Metric]:
    """All figures at this address."""
    return list(text_string_to_metric_families((await fetch(address))[1]))


async def figures(address: str) -> dict[str, float]:
    """The values of all figures at this address, by names with labels and without our prefix."""
    found = {}
    for family in await families(address):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            found[sample.name.removeprefix("sandtable_") + (f"{{{labels}}}" if labels else "")] = sample.value
    return found
