"""The pages say who fires when and at what, as the course of a battle and the packs of all editions do."""

from bot.editions import editions
from solver.axis.course import OPENING, ROUND, Phase
from solver.axis.units import Rules
from tests.helpers.documents import DOCS

COLUMNS = {"Anniversary": "aa50", "Revised": "revised", "Classic": "aa-classic"}
"""The editions by the heads of their columns where these are no years."""
PHASES = {
    "guns": "AA guns",
    "air": "air battle",
    "bombard": "bombardment",
    "strike": "submarines",
    "fire": "all others",
}
WHO = {("attack",): "attacker", ("defence",): "defender", ("attack", "defence"): "both"}
AT = {"any": "any unit", "ships": "no planes", "aimed": "one ship"}


def in_edition(phase: Phase, rules: Rules) -> str:
    """What an edition makes of a phase."""
    bombards = any(unit.bombards for unit in rules.units)
    match phase:
        case "guns":
            shots = next((unit.antiaircraft for unit in rules.units if unit.antiaircraft), 0)
            each_plane = "1 a plane, by kind" if rules.antiaircraft_by_kind else "1 a plane"
            return (f"{shots} a gun" if shots < 1_000 else each_plane) if shots else "–"
        case "air":
            return f"with {rules.air_battle}" if rules.air_battle else "–"
        case "bombard":
            return "first" if bombards and rules.bombardment_first else "–"
        case "kamikaze":
            return str(rules.kamikaze) if rules.kamikaze else "–"
        case "strike":
            subs = [unit for unit in rules.units if unit.surprise]
            who = "strike" if all(unit.strikes("defence") for unit in subs) else "attacker strikes"
            return who if subs else "–"
        case "fire":
            return "with bombardment" if bombards and not rules.bombardment_first else "all"


def test_the_course_of_a_battle_on_the_page_is_that_of_the_editions() -> None:
    (head, _, *rows), *_ = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
        for part in DOCS["axis-and-allies.md"].prose.split("\n\n")
        if part.startswith("| Phase |")
    ]
    course = OPENING | ROUND
    keys = [COLUMNS.get(name, name) for name in head[3:]]
    europe = {phase: in_edition(phase, editions()["1940-europe"].rules) for phase in course}
    wanted = []
    for phase, rule in course.items():
        cells = [in_edition(phase, editions()[key].rules) for key in keys]
        there = cells[keys.index("1940")]
        if europe[phase] != there:
            cells[keys.index("1940")] = f"{there}, Europe {europe[phase].replace('–', 'none')}"
        wanted.append([PHASES.get(phase, phase), WHO[rule.roles], AT.get(rule.reach, rule.reach), *cells])
    assert rows == wanted
    assert {key.partition("-e")[0].partition("-p")[0] for key in editions()} == set(keys)
    until_a_side_has_none = [phase for phase, rule in course.items() if rule.repeats]
    assert until_a_side_has_none == ["air"]


def test_planes_hit_submarines_as_the_page_says() -> None:
    anyway = {key for key, edition in editions().items() if any(unit.hunted for unit in edition.rules.units)}
    assert anyway == {"revised", "aa-classic"}
    assert "In Revised and Classic they hit them anyway." in DOCS["axis-and-allies.md"].prose
