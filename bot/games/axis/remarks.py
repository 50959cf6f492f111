"""Remarks about battles of Axis & Allies, of one wave or several, and about what their lines say or leave out."""

from collections.abc import Iterator, Mapping, Sequence

from bot.editions import Edition, editions
from bot.games.axis.lasting_orders import USUAL_ORDER
from bot.games.axis.options import OPTIONS
from bot.games.axis.reading import wave_prefix
from bot.games.axis.writing import units_text
from bot.languages import N_, _, _n
from bot.notation.lexer import ParsedOption
from bot.notation.reading import round_remarks
from solver.axis.battle import AxisBattle
from solver.axis.loss_order import has_fixed_place, usual_order
from solver.axis.sides import SIDES
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves

_OF_SEA = [option for option in OPTIONS if option.remark]
"""The options that make a difference only at sea, where a remark says which."""


def battle_remarks(battle: Waves) -> Iterator[str]:
    """Say whose planes crash in which waves, and explain a limit of rounds that may be meant otherwise."""
    first, *later = waves = battle.battles
    for option in _OF_SEA:
        places = [str(place) for place, wave in enumerate(waves, start=1) if option.write([wave])]
        if places and first.theatre == "land":
            yield _("`{word}` makes no difference on land.", word=option.word)
        elif places and later:
            yield _crash_in_waves(option.word, places)
            if option.word == "acrash" and places != ["1"]:
                yield _(
                    "`acrash`: only carriers of the same wave count, and a wave that finds no enemy loses no plane."
                )
        elif places:
            yield _(option.remark)
    if first.kamikaze and not later:
        ships = units_text(dict(first.kamikaze), editions()[first.rules.key])
        yield _("`kamikaze`: aimed at {ships} before the battle; each attack hits with 2 or less.", ships=ships)
    if any(map(_stops_first, waves)):
        yield _("`dretreat`: the attacker stops first, so the defender never leaves.")
    yield from round_remarks([wave.round_limit for wave in waves])


def _stops_first(wave: AxisBattle) -> bool:
    """Return whether the rounds of a wave are over before the defender would leave, and nobody has to fight on then."""
    plan, table = wave.defender_retreat, wave.rules.table
    first = 1 if plan.units_at_most is not None else plan.rounds
    landed = any(table[name].amphibious for name, _count in wave.attacker.units)
    return first is not None and wave.round_limit is not None and wave.round_limit <= first and not landed


def line_remarks(waves: Waves, options: Mapping[str, ParsedOption]) -> Iterator[str]:
    """Say what a line leaves to the usual order of loss, and which of its words mean another wave or change no unit."""
    fired, later = options.get("aafired"), options.get("1|hold")
    if fired and later and fired.value and not fired.saved and fired.start > later.start:
        yield _("`aafired` is about the first wave; in later waves AA guns fire again.")
    edition = editions()[waves.battles[0].rules.key]
    if any(key.endswith("scramble") for key in options):
        yield _("Planes that scramble defend at sea like the others, and land on their air base again.")
    for number, wave in enumerate(waves.battles):
        for name, role in zip(SIDES, ROLES, strict=True):
            order, tech = (options.get(f"{wave_prefix(number)}{name}:{word}") for word in ("loss", "tech"))
            words = tech.value if tech else ()
            if order is not None and not order.saved and order.value != (USUAL_ORDER,):
                yield from _order_remarks(edition, wave, role, order.value, words)
            yield from _technology_remarks(edition, wave, role, words)


def _technology_remarks(edition: Edition, wave: AxisBattle, role: Role, words: Sequence[str]) -> Iterator[str]:
    """Say which technologies of a side change none of its units."""
    idle = [word for word in words if not any(map(wave.army(role).count, edition.forms([word]).values()))]
    text = N_("`tech:{word}` makes no difference: the attacker has no unit that it changes.")
    if role == "defence":
        text = N_("`tech:{word}` makes no difference: the defender has no unit that it changes.")
    yield from (_(text, word=word) for word in idle)


def _order_remarks(
    edition: Edition, wave: AxisBattle, role: Role, order: Sequence[str], technologies: Sequence[str]
) -> Iterator[str]:
    """Say which units follow in the usual order, as the order of loss of a side does not name them."""
    named = [word for word in order if _has_choice(wave, edition.words[word], role)]
    forms = edition.forms(technologies)
    known = {unit for word in named for unit in (edition.words[word], forms.get(edition.words[word]))}
    rest = [unit for unit in usual_order(wave.rules, wave.theatre, role) if wave.army(role).count(unit)]
    rest = [edition.short[unit] for unit in rest if unit not in known and _has_choice(wave, unit, role)]
    if named and rest:
        text = N_("After `{order}` the attacker loses {units} in the usual order.")
        if role == "defence":
            text = N_("After `{order}` the defender loses {units} in the usual order.")
        yield _(text, order=f"loss:{','.join(named)}", units=", ".join(rest))
    yield from _transport_remarks(edition, wave, role, order)


def _transport_remarks(edition: Edition, wave: AxisBattle, role: Role, order: Sequence[str]) -> Iterator[str]:
    """Say that transports are lost last if the order of loss of a side names them before other units."""
    table, present = wave.rules.table, dict(wave.army(role).units)
    typed = [edition.words[word] for word in order if edition.words[word] in present]
    transports = [unit for unit in typed if table[unit].defenceless]
    before = typed[: typed.index(transports[0])] if transports else list(present)
    if any(not table[unit].defenceless and unit not in before for unit in present):
        yield _("Transports are lost last, so `loss:` moves other units alone.")


def _has_choice(wave: AxisBattle, unit: str, role: Role) -> bool:
    """Return whether an order of loss may place a kind of unit: transports and late guns have a fixed place.

    Guns that cannot be hit have none.
    """
    if wave.rules.table[unit].captured:
        return False
    late = role == "defence" and wave.defender.aa_second_last and wave.rules.table[unit].antiaircraft
    return not late and not has_fixed_place(wave.rules.table[unit], wave.theatre, role)


def _crash_in_waves(word: str, places: Sequence[str]) -> str:
    """Say whose planes crash in these waves, each of which has an attacker of its own."""
    numbers = ", ".join(places)
    if word == "acrash":
        return _n(
            "Wave {waves}, `acrash`: its attackers lose planes without room on a carrier at its end.",
            "Waves {waves}, `acrash`: their attackers lose planes without room on a carrier at their end.",
            len(places),
            waves=numbers,
        )
    return _n(
        "Wave {waves}, `crash`: its defenders lose planes without room on a carrier at its end.",
        "Waves {waves}, `crash`: their defenders lose planes without room on a carrier at their end.",
        len(places),
        waves=numbers,
    )
