"""A strict local Discord for tests: the real discord.py talks to it, tests read like a chat.

    async with FakeDiscord() as discord, discord.running(client):
        alice = discord.member("Alice", locale="de")
        shown = await alice.sends("battle", matchup="12 9 bombers:2")
        assert "78.6%" in shown.content
        shown = await alice.presses(shown, "Swap sides")

Discord's REST API (v10) and gateway are played on a free loopback port. Nothing inside the client is replaced.

Starting
    FakeDiscord(bot_name=, shards=1, openapi=True, slack=1.0, commands=())
                                  an async context manager; leaving it raises AssertionError if the bot broke a rule
    discord.api, discord.token    where and with what a client logs in
    discord.running(client)       async block: client redirected here, started, ready, and closed at the end;
                                  several clients share the bot where each has been given its shards
    discord.redirected()          block: discord.py points here (Route.BASE and DiscordWebSocket.DEFAULT_GATEWAY)
    await discord.ready()         until every shard has identified or resumed and has been sent all events
    discord.doors.addresses       while it names any, interactions go there as signed HTTP requests, one after another,
                                  and to the next where a process does not answer; nothing goes over the gateway
    `commands=` says what was registered before, for a bot that does not register unchanged commands again;
    `openapi=False` saves about a millisecond per request in benchmarks;
    `slack=BUSY` lets the 3 seconds and the 15 minutes pass ten times slower, but for what `clock.advance` adds: a test
    that is no benchmark says nothing about speed.

People                            (Person: .id .name .mention .channel .sees)
    discord.member(name, locale=, manage_guild=, guild=, roles=, bot=)   somebody in `discord.guild` or another server
    discord.stranger(name, locale=)                direct messages with the bot
    discord.stranger(name, guild=True)             in a server where the bot is not: app installed by the user
    discord.stranger(name, group=True)             in a group of friends where the bot is not
    discord.add_guild(name, locale=), discord.role(name), person.moves(channel)
    discord.add_channel(name, forum=False), discord.add_thread(channel, name), discord.remove_channel(channel)
    discord.remove_bot(guild), discord.bring_back_bot(guild)       the server removes the bot, or invites it again
    with discord.outage(guild):                    Discord has trouble with the server, which still has the bot

Verbs that wait                   (`within=` real seconds, default 60; failures say what happened instead)
    await alice.sends("battle", matchup="12 9")              -> Shown    "preset save" is a subcommand
    await alice.types("battle", matchup="12 9 bo")           -> [Choice] suggestions for the last option
    await alice.uses("Battle odds", on=message_or_person)    -> Shown    menu of a message or person
    await alice.presses(shown, "Swap sides")                 -> Shown    the same message edited, or a new one
    await alice.picks(shown, "placeholder", "label", ...)    -> Shown    choose from a menu
    await alice.opens(shown, "Save")                         -> Modal    press a button that opens a form
    await alice.submits(modal, {"Name": "ukraine"})          -> Shown    fields not named keep their value
    await alice.says("@bot 12 9", to=shown, reply=True)      -> Shown    reply=False: returns her own message at once;
                                                                         kind=6: written in her name, "pinned..."
                                                                         ping=False: a reply that notifies nobody
    An option takes str, int, float, bool, Person, Role, Channel or Upload(name, data), as registered.
    What a person could not do (unknown command, missing option, disabled button...) is an ImpossibleError.

The same without waiting
    begins, begins_typing, begins_using, begins_pressing, begins_picking, begins_submitting   -> Interaction
    await interaction.acknowledged() / answered() / opened() / offered()
    interaction.acknowledged_after, answered_after    seconds to the first callback, to the first real content
    interaction.deferred, followups, history          promised first?, further messages, what happened in words
    `late=2.5` on any of them: so many of the three seconds are lost before the bot hears of it.

What people see                   (snapshots: they do not change)
    Shown   id, author, content, private, thinking, deferred, edited, files, buttons, menus, embeds, components,
            labels, reply_to, pings, flags, is_v2; shown.button(label), shown.menu(placeholder)
    File    name, data, description, id, url            Button  label, custom_id, disabled, style ("danger"...)
    Modal   title, custom_id, fields, texts             Field   label, custom_id, value, kind, required, options...
    discord.messages[id], discord.channel_messages, alice.sees     how it looks now
    await discord.next_edit(shown)                    an edit that nobody here caused, such as the next round of a roll
    discord.old_message(content, {"Label": "custom_id"})            left by an earlier version of the bot
    discord.delete(shown)                             somebody deletes it

What the bot did
    discord.commands, discord.guild_commands(guild)   as registered last
    discord.emojis.names, .pictures                   the application's emoji: ids by name, pictures by id
    discord.requests, discord.requests_to("PATCH /webhooks/{id}/{token}/messages/@original")
        Request: method, route, params, query, body, parts, at (clock), status, answer
    discord.violations            forbidden things; `with discord.violations.expected("2000"):` takes them out
    discord.gateway               identified, resumed, heartbeats (counts), presences, sessions

Trouble to order
    discord.clock.advance(16 * 60)                    the 3 s for the first answer, the 15 min of a token
    discord.limit_next(route, retry_after=0.2, times=1, everywhere=False)     429; must be met before the end
    discord.fail_next(route, status=503)              discord.py repeats 500, 502, 504 only after a second
    discord.doors.begin_with(address)                 which process gets the next interaction first
    discord.limit_rate(route, limit=5, per=2.0)       a tight bucket with true headers
    discord.board.size_limit = 1000                   bytes per file, also as interactions tell it (10 MiB)
    await discord.drop_gateway(code=None)             sockets break; the client resumes, missed events are replayed
    async with discord.gateway_away():                sockets gone, nobody gets in before the end of the block
    with discord.gateway.closed_door():               nobody gets in, and who is there stays
    with discord.gateway.without_ready():             identifies count, and are never answered
    await discord.reconnect_request()                 op 7
    await discord.invalidate_session()                op 9, not resumable
    with discord.gateway.without_acks():              heartbeats go unanswered; discord.gateway.heartbeat_ms

What is checked
    Route and method prepared, Authorization, Content-Type, Discord's API description (where `../shared/
    discord-openapi.json` lies beside the checkout), limits of messages, components, forms, suggestions, commands and
    files, attachments against parts, one answer per interaction of a type that fits, public or private fixed by the
    deferral, five follow-ups where only the user installed the app, privileged intents, and at the end that nobody
    was left without an answer or at "thinking...", but where it came late or an answer was refused; a test may also
    set `interaction.excused`.
    Too late (10062, 50027) is refused too, but is no violation: time may pass for the best of bots.
"""

from .interactions import Interaction
from .people import Person, Upload
from .rest import Request
from .shown import Button, Choice, Field, File, Menu, Modal, Shown
from .stand_in import FakeDiscord
from .timing import BUSY
from .violations import Violation, Violations
from .wire import ImpossibleError
from .world import Channel, Guild, Role

__all__ = [
    "BUSY",
    "Button",
    "Channel",
    "Choice",
    "FakeDiscord",
    "Field",
    "File",
    "Guild",
    "ImpossibleError",
    "Interaction",
    "Menu",
    "Modal",
    "Person",
    "Request",
    "Role",
    "Shown",
    "Upload",
    "Violation",
    "Violations",
]
