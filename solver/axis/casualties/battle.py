"""A battle of Axis & Allies in which one side or both choose their casualties round by round."""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, get_args

from solver.axis.battle import AxisBattle
from solver.errors import BattleError, check_choice

Aim = Literal["takes", "profit"]
Chooses = tuple[bool, bool]
"""Whether the attacker and whether the defender chooses."""


@dataclass(frozen=True, slots=True)
class ChosenBattle(AxisBattle):
    """A battle on land or at sea, with perfect choices. A side that does not choose follows its order of loss.

    A side that chooses need not keep any unit to the last. The units that its order keeps count only in `in_order`, and
    two battles that differ only there are equal.

    With a plan to retreat the attacker may stop before any round but the first instead of following the plan.
    Submarines of a side that chooses may submerge where they otherwise would.

    Attributes:
        chooses: Whether the attacker and whether the defender chooses.
        aim: What the attacker makes as large and the defender as small as possible: "takes" for the chance to take the
            territory, at sea to win; "profit" for the TUV swing, in money.
        in_order: The battle if both sides follow their orders of loss, with all that these keep to the last.

    Raises:
        BattleError: If a value is impossible; it names the field.
    """

    chooses: Chooses = (True, False)
    aim: Aim = "takes"
    in_order: AxisBattle = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the fields, and bring them to one form."""
        AxisBattle.__post_init__(self)
        check_aim(self.aim)
        self._check_choosers()
        object.__setattr__(self, "in_order", AxisBattle(**_fields(self)))
        for name, free in zip(("attacker", "defender"), self.chooses, strict=True):
            if free:
                army = replace(getattr(self, name), keep_land=0, aa_second_last=False)
                object.__setattr__(self, name, army)
        keep = tuple(keep and not free for keep, free in zip(self.keep_last_destroyer, self.chooses, strict=True))
        object.__setattr__(self, "keep_last_destroyer", keep)

    def _check_choosers(self) -> None:
        if not any(self.chooses):
            raise BattleError("chooses", "the attacker, the defender or both must choose")

    @classmethod
    def of(cls, battle: AxisBattle, chooses: Chooses, aim: Aim) -> Self:
        """Return a battle with casualties that are chosen.

        Args:
            battle: The battle.
            chooses: Whether the attacker and whether the defender chooses.
            aim: What they aim at.
        """
        return cls(**_fields(battle), chooses=chooses, aim=aim)

    def to_dict(self) -> dict[str, Any]:
        """Return the question for the best casualties of this battle as a JSON document with every field."""
        chooses = "both" if all(self.chooses) else "attacker" if self.chooses[0] else "defender"
        document = self.in_order.to_dict()
        return {"question": "casualties", "chooses": chooses, "aim": self.aim, **document}

    @property
    def without_choices(self) -> AxisBattle:
        """This battle with orders of loss, of which those of the sides that choose keep nothing to the last."""
        return AxisBattle(**_fields(self))


def check_aim(aim: Any) -> Aim:
    """Return an aim that there is, else raise BattleError: see `ChosenBattle.aim`."""
    aims: tuple[Aim, ...] = get_args(Aim)
    check_choice("aim", aim, aims, "the aim must be one of {known}, not {value}")
    return aims[aims.index(aim)]


def _fields(battle: AxisBattle) -> dict[str, Any]:
    return {field.name: getattr(battle, field.name) for field in fields(AxisBattle)}
