"""Battles and paths under every rule there is, and lines made of all that people may type, for tests that try all."""

from hypothesis import strategies as st

from bot.editions import editions
from bot.notation.dice_options import OPTIONS
from bot.packs import load
from solver import Battle, Faces, Reshape
from solver.path.path import Path
from solver.raid.raid import Raid
from tests.helpers.solver.any_battle import battles, pools, ships, ties

armies = st.integers(0, 40)
words = st.text("AD", max_size=4)
faces = st.lists(words, min_size=2, max_size=7).map(Faces.of)
small = st.integers(0, 4900).map(lambda number: number / 10_000) | st.sampled_from([0.00001, 0.000123])
powers = st.integers(1, 100_000).map(lambda number: number / 10_000)

fighting = st.tuples(faces, faces)
with_icons = st.builds(Battle, armies, armies, faces=fighting, stop=st.integers(0, 20))
few = st.integers(0, 24)  # each round may cost a sweep: 31 rounds of 39 armies with mostly blank faces are refused
with_icons_for_rounds = st.builds(Battle, few, few, faces=fighting, stop=st.integers(0, 20), rounds=armies)
late = st.builds(
    Battle,
    armies,
    armies,
    pools,
    pools,
    ties=ties.filter(lambda who: who != "neither"),
    stop=armies,
    late=st.just(True),
)
valued = st.builds(Battle, armies, armies, pools, pools, ties=ties, stop=armies, reserve=armies, value=armies)
reshaped = st.builds(
    Battle,
    armies,
    armies,
    pools,
    pools,
    ties=st.sampled_from(["attacker", "defender"]),
    reshape=st.builds(Reshape, small, powers, small, powers),
)
packed = st.builds(lambda key, a, d: load()[key].battle(a, d), st.sampled_from(sorted(load())), armies, armies)
any_battle = battles | with_icons | with_icons_for_rounds | late | valued | reshaped | packed

CHANGES = (
    *("dbonus:0", "abonus:1", "dbonus:1,1", "clamp:none", "dclamp:none", "dclamp:1..6", "aclamp:2..5"),
    *("late", "late:no", "reshape:none", "reshape:0.04,1.2,0.08,1.5", "ties:attacker", "ties:both", "ties:defender"),
    *("dice:2v1", "dice:3v2", "dice:4v3", "adice:8,8,6", "ddice:10", "arerolls:1", "drerolls:0", "bombers:1"),
    *("icons:A,D", "dicons:AA,D", "stop:3", "reserve:2", "rounds:2", "value:6"),
)


@st.composite
def paths(draw: st.DrawFn) -> Path:
    """A march whose army keeps its ships, through territories with rules of their own."""
    army, stop = draw(ships), draw(st.integers(0, 9))
    ours = draw(st.sampled_from(["", "ships", "icons"]))
    legs = []
    for _ in range(draw(st.integers(1, 5))):
        leg = Battle(draw(armies), draw(armies), stop=stop)
        if ours == "ships":
            leg = Battle(leg.attackers, leg.defenders, attack_ships=army, defence_ships=draw(ships), stop=stop)
        elif ours == "icons":
            leg = Battle(leg.attackers, leg.defenders, faces=(draw(faces), draw(faces)), stop=stop)
        elif draw(st.booleans()):
            leg = Battle(leg.attackers, leg.defenders, draw(pools), draw(pools), ties=draw(ties), stop=stop)
        legs.append(leg)
    return Path.of(legs, draw(st.lists(st.integers(0, 9), min_size=len(legs) - 1, max_size=len(legs) - 1)))


numbers = st.sampled_from(["0", "1", "2", "3", "5", "12", "40"])
options = (
    st.sampled_from(CHANGES)
    | st.sampled_from([f"variant:{key}" for key in load()])
    | st.sampled_from(
        ["fighters:1", "dcapitals:2", "icons:AAD,ADD,A,D,-,-", "leave:0", "leave:1,2", "exact", "all", "80%", "vs"]
    )
)
sensible = st.builds(
    lambda numbers, told, sign: sign.join(numbers) + "".join(f" {word}" for word in told),
    st.lists(numbers, max_size=4),
    st.lists(options, max_size=3),
    st.sampled_from([" ", " ", " > "]),
)
"""Lines most of which are battles, paths, or questions about them."""

units = st.sampled_from(
    ["inf", "art", "arm", "aa", "fig", "bom", "ainf", "sub", "des", "cru", "acc", "bat", "dbat", "tra"]
)
ARMY_WORDS = (
    *("rounds:2", "lowluck", "biased", "submerge", "dsubmerge", "keep:1", "gunslast", "crash", "decline:no", "sea"),
    *("dretreat:2", "dretreat:1,units<=2"),
    *("retreat:units<=2", "retreat:profit<0", "retreat:win<40%", "retreat:destroy<30%", "retreat:air>20%,clear>10%"),
    *("loss:inf,art,arm,fig,bom", "dloss:aa,inf,art,arm,fig", "loss:sub,des,fig", "deadzone", "value:-2.5", "land"),
    *("variant:1940", "variant:1914", "keepdestroyer", "dkeepdestroyer", "aafired", "planvalue:3", "plandeadzone:no"),
    *("worth:units", "worth:power,inf=2.5", "worth:fig=14,bom=15", "worth:inf=-1"),
    *("choose", "dchoose", "choose:tuv", "dchoose:tuv", "choose:no"),
    *("kamikaze:2", "kamikaze:1acc,2bat", "kamikaze:0"),
    *("all", "all:money", "all:winner"),
)
stacks = st.lists(st.tuples(st.integers(0, 6), units).map(lambda stack: f"{stack[0]} {stack[1]}"), max_size=4)
army_lines = st.builds(
    lambda ours, theirs, told: " ".join([*ours, "vs", *theirs, *told]),
    stacks,
    stacks,
    st.lists(st.sampled_from(ARMY_WORDS), max_size=4),
)
"""Lines many of which are battles of Axis & Allies."""

EDITIONS = [edition.rules for key, edition in editions().items() if key != "1914"]
dice = st.sampled_from(["standard", "low_luck", "biased"])
raids = st.builds(Raid, st.sampled_from(EDITIONS), st.integers(1, 500), st.integers(1, 500), dice, st.booleans())
RAID_WORDS = (
    "lowluck",
    "biased",
    "aafired",
    "aafired:no",
    "all",
    "low luck",
    "variant:1940",
    "variant:1941",
    "variant:1914",
    "2 aa",
)
raid_lines = st.builds(
    lambda bombers, word, sign, points, unit, told: " ".join([f"{bombers} {word}{sign} {points}{unit}", *told]),
    st.sampled_from(["0", "1", "2", "5", "10", "500", "501"]),
    st.sampled_from(["", "bom", "bombers", "b", "strategic bombers", "fig", "bmo"]),
    st.sampled_from(["", " vs", " v", " against", " >", "-"]),
    st.sampled_from(["0", "1", "8", "20", "500", "9999"]),
    st.sampled_from(["", " points", " ipc", " factory", " x"]),
    st.lists(st.sampled_from(RAID_WORDS), max_size=3),
)
"""Lines most of which are bombing raids."""
placing_lines = st.builds(
    lambda hand, goal, attacks: " || ".join([" ".join([*hand, *goal]), *attacks]),
    st.lists(st.tuples(st.integers(0, 3), units).map(lambda stack: f"{stack[0]} {stack[1]}"), min_size=1, max_size=3),
    st.lists(st.sampled_from(["hold:2", "hold:value", "hold:all", "lowluck", "rounds:1", "variant:1940"]), max_size=2),
    st.lists(army_lines, min_size=1, max_size=3),
)
"""Lines many of which are about units over several territories."""

pieces = st.sampled_from(
    [
        *OPTIONS,
        *load(),
        *"0123456789>%.AaDd,:- \n",
        *("vs", "v", "x", "..", "→", "ukraine", "march", "12", "9" * 9, "9" * 99, "80%", "0.5%", " > ", ">5", "a,d"),
        *("3 inf", "2i", "vs 5 inf", "2 sub", "1 des", "loss:", "retreat:", "profit<0", "units<=2", "then"),
        *("AAD,ADD,A,D,-,-", "variant:", "leave:1,3", "reshape:0.05,1.3,0.1,1.8", "none", "late:no", "no"),
    ]
)
wild = (
    st.text(max_size=400)
    | st.lists(pieces, max_size=40).map("".join)
    | st.lists(pieces, max_size=30).map(" ".join)
    | sensible
    | army_lines
    | placing_lines
)
"""Whatever somebody may send."""
