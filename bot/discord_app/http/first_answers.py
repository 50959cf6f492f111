"""The first answer to an interaction that came as an HTTP request: suggestions go back in the HTTP answer."""

import asyncio
from typing import Any

import aiohttp
from discord import InteractionResponseType
from discord.http import MultipartParameters
from discord.webhook.async_ import AsyncWebhookAdapter

SUGGESTIONS = InteractionResponseType.autocomplete_result.value


class FirstAnswer(AsyncWebhookAdapter):
    """Takes the place of discord.py's own way to Discord for one interaction, and tells when it is answered.

    Discord takes the first answer in the HTTP answer or by its callback route. Suggestions are seven in ten
    interactions, and nothing follows them, so they go into the HTTP answer, which saves a request. Everything else goes
    by the callback: it says whether Discord took the answer, which decides what to do next, and gives the id of the new
    message; and no later change of the answer can overtake it. The HTTP answer is then 202 without a body.

    `sent` gets the body of the HTTP answer, None after a callback. It is set only then: if the process ends before, its
    connection breaks, and a balancer may send the interaction to another process.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.sent: asyncio.Future[dict[str, Any] | None] = asyncio.get_running_loop().create_future()

    async def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        params: MultipartParameters,
    ) -> Any:
        """Send the answer, or keep it for the HTTP answer."""
        if params.payload and params.payload["type"] == SUGGESTIONS:
            self._settle(params.payload)
            return {}
        try:
            return await super().create_interaction_response(
                interaction_id, token, session=session, proxy=proxy, proxy_auth=proxy_auth, params=params
            )
        finally:
            self._settle(None)

    def _settle(self, answer: dict[str, Any] | None) -> None:
        if not self.sent.done():
            self.sent.set_result(answer)
