"""The kernel of icon dice with less luck than chance has, as in Warzone: what they kill is drawn to the average.

No face may show a defence icon, so what each side kills depends on its own dice alone.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from solver.chain import Mask
from solver.dice.faces import ALL_LUCK, Faces
from solver.dice.icons import IconTable


class RateTable(IconTable):
    """The kernel of icon dice with less than all luck: see `Faces.kills`.

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
        # The law of the icons of 0, 1, ... of the attacker's dice.
        self._icons: list[Any] = [np.ones(1, self._kind)]

    @property
    def _is_compiled(self) -> bool:
        return False

    def forget_laws(self) -> None:
        """See `IconTable`."""
        for table in (self, self.mirror):
            assert isinstance(table, RateTable)
            del table._icons[1:]

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
            work += float(((others - shells + 1) * (6_000 + sizes)).sum())
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
        law: Any = np.zeros(most + 1, self._kind)
        for icons, weight in enumerate(self._law_of_icons(units)):
            if weight:
                law[min(self.attack.kills(units, icons, self.luck), most)] += weight
        return law if self.exact else law / law.sum()  # where one result is certain, nothing is rounded

    def _law_of_icons(self, units: int) -> Any:
        die: Any = np.zeros(self.most_icons[0] + 1, self._kind)
        for icons, _block, weight in self.dice[0].faces:
            die[icons] += weight
        if not self.exact:
            die /= self.dice[0].total
        while len(self._icons) <= units:
            self._icons.append(np.convolve(self._icons[-1], die))
        return self._icons[units]


@lru_cache(maxsize=1)  # one may hold tens of megabytes
def icon_table(attack: Faces, defence: Faces, luck: int = ALL_LUCK, exact: bool = False) -> IconTable:
    """Return the kernel of battles between two dice: see `IconTable` and `RateTable`."""
    if luck < ALL_LUCK:
        return RateTable(attack, defence, luck, exact)
    return IconTable(attack, defence, exact)
