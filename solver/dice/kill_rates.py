"""The kernel of icon dice with less than all luck, as in Warzone: what they kill is drawn to the average.

No face may show a defence icon, so what each side kills depends on its own dice alone.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from solver.chain import Grid, Mask
from solver.dice.faces import ALL_LUCK, Faces
from solver.dice.icons import IconTable


class RateTable(IconTable):
    """The kernel of icon dice without defences, also with less than all luck: see `Faces.kills`.

    It has one plain way, in numpy. The law of a cell is the product of what both sides kill.

    Args:
        attack: The attacker's die, without defence icons.
        defence: The defender's die, without defence icons.
        luck: The luck that is left, in percent.
        exact: Compute with whole numbers; laws are weights then, not chances.
        mirror: The kernel with the sides exchanged; None to create it.
    """

    def __init__(
        self, attack: Faces, defence: Faces, luck: int, exact: bool = False, mirror: IconTable | None = None
    ) -> None:
        """Count the faces and create the mirror."""
        self.luck = luck
        super().__init__(attack, defence, exact, mirror or RateTable(defence, attack, luck, exact, self))
        # The law of what 0, 1, ... attackers kill, and that of the icons of the last of these.
        self._kills: list[Any] = [np.ones(1, self._kind)]
        self._icons: Any = self._kills[0]

    @property
    def _is_compiled(self) -> bool:
        return False

    def forget_laws(self) -> None:
        """See `IconTable`."""
        for table in (self, self.mirror):
            assert isinstance(table, RateTable)
            del table._kills[1:]
            table._icons = table._kills[0]

    def shoot_once(self, law: Grid, floor: int) -> float:
        """Fight one round, and return how many were fought on average: see `fight_icon_rounds`.

        Args:
            law: The probability of each cell, changed in place.
            floor: A cell with no more attackers than this is final.
        """
        assert isinstance(self.mirror, RateTable)
        before = law.copy()
        before[: floor + 1] = 0
        before[:, 0] = 0
        law -= before
        for n, m in np.argwhere(before).tolist():
            left, others = self.mirror._law_of_kills(m, n)[::-1], self._law_of_kills(n, m)[::-1]
            law[: n + 1, : m + 1] += before[n, m] * np.multiply.outer(left, others)
        return float(before.sum())

    def stuck_cells(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`."""
        assert isinstance(self.mirror, RateTable)
        ours, theirs = (
            [table.attack.kills(units, units * table.most_icons[0], self.luck) == 0 for units in range(size)]
            for table, size in zip((self, self.mirror), shape, strict=True)
        )
        return np.asarray(np.array(ours)[:, np.newaxis] & np.array(theirs))

    def work(self, attackers: int, defenders: int) -> int:
        """See `IconTable`."""
        work = 0.0
        for others in (defenders, attackers) if self.attack != self.defence else (max(attackers, defenders),):
            shells = np.arange(1.0, min(attackers, defenders) + 1)
            sizes = (shells + 1) * ((shells + others) / 2 + 1)
            work += float(((others - shells + 1) * (4_000 + sizes / 2)).sum())
        return int(work)

    def _row_laws(self, n: int, first: int, last: int) -> list[Any]:
        assert isinstance(self.mirror, RateTable)
        laws = []
        for m in range(first, last + 1):
            killed, lost = self._law_of_kills(n, m), self.mirror._law_of_kills(m, n)
            laws.append(np.multiply.outer(killed, lost[::-1]))
        return laws

    def _law_of_kills(self, units: int, most: int) -> Any:
        """Return the law of what some attackers kill of so many."""
        while len(self._kills) <= units:
            self._kills.append(self._next_kills())
        killed = self._kills[units]
        law: Any = np.zeros(most + 1, self._kind)
        law[: len(killed)] = killed[: most + 1]
        law[most] += killed[most + 1 :].sum()
        return law if self.exact else law / law.sum()  # where one result is certain, nothing is rounded

    def _next_kills(self) -> Any:
        """Return the law of what one attacker more kills, of any number of defenders."""
        units, hits = len(self._kills), self.most_icons[0]
        die: Any = np.zeros(hits + 1, self._kind)
        for icons, _block, weight in self.dice[0].faces:
            die[icons] += weight
        self._icons = np.convolve(self._icons, die if self.exact else die / self.dice[0].total)
        law: Any = np.zeros(units * hits + 1, self._kind)
        for icons, weight in enumerate(self._icons):
            law[self.attack.kills(units, icons, self.luck)] += weight
        return law


@lru_cache(maxsize=1)  # one may hold tens of megabytes
def icon_table(
    attack: Faces, defence: Faces, luck: int = ALL_LUCK, exact: bool = False, volley: bool = False
) -> IconTable:
    """Return the kernel of battles between two dice: see `IconTable` and `RateTable`.

    Args:
        attack: The attacker's die.
        defence: The defender's die.
        luck: The luck that is left, in percent.
        exact: Compute with whole numbers.
        volley: Whether it fights one round alone, without defence icons.
    """
    if volley or luck < ALL_LUCK:
        return RateTable(attack, defence, luck, exact)
    return IconTable(attack, defence, exact)
