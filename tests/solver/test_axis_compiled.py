"""The compiled kernel says what the numpy kernel says; it is built where a compiler is, and loaded when needed."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.axis import at_once
from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.kernel.compiled import CompiledKernel
from solver.axis.odds import AxisOdds
from solver.axis.sides import Retreat
from solver.axis.solve import solve_axis, solve_chain
from solver.compiled import build_hook, library
from solver.errors import TooLargeError
from solver.progress import Meter
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import RULES, battle, fleets
from tests.helpers.solver.axis_compare import ends_of, furthest
from tests.helpers.solver.kernels import needs_library

COMPILER = any(map(shutil.which, ("cc", "gcc", "clang")))
NO_DESTROYERS = battle(
    "sea",
    "3 carrier, 4 submarine, 4 fighter, 1 cruiser, 1 bomber, 1 battleship",
    "4 submarine, 2 carrier, 2 cruiser, 4 fighter, 1 battleship",
)

PLAN: dict[str, Any] = {"retreat": Retreat(units_at_most=1, profit_below=-2, win_chance_below=0.3)}
PLANNED = [
    battle("land", "7 infantry, 2 tank, 2 fighter", "6 infantry, 2 aa_gun, 1 tank", **PLAN, decline_allowed=False),
    battle("sea", "3 submarine, 1 cruiser, 3 fighter", "3 submarine, 2 fighter", **PLAN, decline_allowed=False),
]


def solve(asked: AxisBattle, kernel: str, dropped: float = 0.0) -> AxisOdds:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(library.SETTING, kernel)
        return solve_axis(asked, dropped)


def copy_sources(folder: Path) -> None:
    for source in (*library.FOLDER.glob("*.c"), *library.FOLDER.glob("*.h")):
        shutil.copy(source, folder)


@needs_library
@examples(pick(100, 200))
@given(st.one_of(at_sea(), on_land()), st.booleans())
def test_both_kernels_agree_if_no_chance_is_dropped(document: dict[str, Any], damage_stays: bool) -> None:
    asked = AxisBattle.from_dict(document, replace(RULES, damage_stays=damage_stays))
    fast, slow = solve(asked, "compiled"), solve(asked, "numpy")
    assert ends_of(fast) == pytest.approx(ends_of(slow), rel=1e-12, abs=0)
    (ours,), (theirs,) = fast.to_dict()["waves"], slow.to_dict()["waves"]
    for name, value in theirs.items():
        if isinstance(value, list):
            assert furthest(ours[name], value) < 1e-12, name
        elif name == "units_lost":
            assert all(ours[name][side] == pytest.approx(lost, abs=1e-12) for side, lost in value.items())
        else:
            assert ours[name] == pytest.approx(value, abs=1e-9), name


@needs_library
@pytest.mark.parametrize("asked", [fleets(2), NO_DESTROYERS], ids=["with destroyers", "without destroyers"])
def test_both_kernels_agree_on_fleets(asked: AxisBattle) -> None:
    fast, slow = solve(asked, "compiled"), solve(asked, "numpy")
    assert fast.takes == pytest.approx(slow.takes, rel=1e-12)
    assert fast.chances.max() == pytest.approx(slow.chances.max(), rel=1e-12)
    usual = solve(asked, "compiled", 1e-10)
    assert usual.error <= 1e-10
    assert abs(usual.takes - slow.takes) <= usual.error + 1e-12


@needs_library
@pytest.mark.parametrize("asked", PLANNED, ids=["on land", "at sea"])
def test_one_call_knows_where_the_attacker_retreats(asked: AxisBattle) -> None:
    fast, slow = at_once.solve_at_once(asked, 0.0, Meter()), solve(asked, "numpy")
    assert fast is not None
    assert slow.end_chances["both"] > 0.01
    assert ends_of(fast) == pytest.approx(ends_of(slow), rel=1e-12, abs=0)


@needs_library
def test_the_meter_stops_the_compiled_kernel() -> None:
    with pytest.raises(TooLargeError, match="more work than is allowed"):
        solve_chain(AxisChain(fleets(3), 500_000), 1e-10)


@needs_library
def test_a_battle_in_one_call_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match="more work than is allowed"):
        at_once.solve_at_once(NO_DESTROYERS, 1e-10, Meter(50_000))
    monkeypatch.setattr(at_once, "MOST_NUMBERS", 1_000)
    meter = Meter()
    assert at_once.solve_at_once(NO_DESTROYERS, 0.0, meter) is None, "it takes the general way"
    assert meter.done == 0


@needs_library
def test_threads_of_the_compiled_kernel_do_not_interfere() -> None:
    alone = solve_axis(NO_DESTROYERS)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(solve_axis, [NO_DESTROYERS] * 8))
    assert all(np.array_equal(odds.chances, alone.chances) for odds in together)


@needs_library
def test_one_setting_chooses_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(library.SETTING, raising=False)
    assert isinstance(AxisChain(fleets(1)).kernel(), CompiledKernel)
    monkeypatch.setenv(library.SETTING, "numpy")
    assert not isinstance(AxisChain(fleets(1)).kernel(), CompiledKernel)


@pytest.mark.skipif(not COMPILER, reason="there is no compiler here")
def test_the_compiled_library_matches_its_source() -> None:
    assert library.library(), 'after a change of the C files: pip install -e ".[test]"'


def test_importing_the_solver_does_not_load_the_compiled_kernel() -> None:
    code = "import sys, solver; solver.Battle; print([name for name in sys.modules if 'compiled' in name])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "[]\n"


def test_compiling_replaces_old_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is none: that the real one makes libraries which can be used is seen in all tests with them."""
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ntouch "$2"\n')
    monkeypatch.setenv("CC", f"sh {compiler}")
    copy_sources(tmp_path)
    (tmp_path / "kernel-old.lib").touch()
    made = build_hook.compile_kernel(tmp_path)
    assert made[0].name == library.library_names()[0]
    assert {path.name for path in tmp_path.glob("*.lib")} == {path.name for path in made} <= {*library.library_names()}


@pytest.mark.parametrize("compiler", ["", "false"])
def test_without_a_compiler_no_library_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str
) -> None:
    copy_sources(tmp_path)
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setenv("PATH", "" if not compiler else "/usr/bin:/bin")
    assert build_hook.compile_kernel(tmp_path) == []
    assert not list(tmp_path.glob("*.lib"))
