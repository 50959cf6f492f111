"""/settings: what a server, or a person in direct messages, decides about the bot there."""

from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.replies import Reply

HISTORY = {
    "on": "battles are kept: who fought and what was rolled, nothing else",
    "off": "nothing is kept of a battle once its end was shown; what was kept before stays",
}


async def settings(request: Request, services: Services) -> Reply:
    """Change what is given, and tell how everything stands."""
    history = request.options.get("history", "").strip().casefold().removeprefix("history:")
    if history:
        if not request.manages:
            raise UserError("Only somebody with the right to manage this server can change its settings.")
        if history not in HISTORY:
            raise UserError("`history` is `on` or `off`.")
        await services.store.set_setting(request.place, "history", history)
    now = await services.store.setting(request.place, "history") or "on"
    return Reply(f"**History is {now}**: {HISTORY[now]}. `/settings history:off` or `on` changes it.", private=True)
