"""Which tests of Axis & Allies run twice: through the compiled kernel, if it is there, and through numpy."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from solver.axis.kernel import native
from tests.helpers.extent import pick
from tests.helpers.solver.kernels import KERNELS

TWICE = {
    "test_axis_brute",
    "test_axis_kernel",
    "test_axis_levels",
    "test_axis_needs",
    "test_axis_oracles",
    "test_waves",
}
TWICE_IN_A_WHOLE_RUN = {"test_axis_parts", "test_wave_answers"}
"""What they ask of a kernel, `test_waves` and `test_axis_needs` ask of both in every run."""
WITH_BOTH = {
    "test_any_chain_at_sea_is_solved_where_damage_stays",
    "test_any_chain_is_solved_as_the_slow_twin_solves_it",
    "test_attackers_at_sea_retreat_as_they_plan",
    "test_attackers_on_land_retreat_as_they_plan",
    "test_battles_at_sea_are_fought_as_the_rules_say",
    "test_battles_on_land_are_fought_as_the_rules_say",
    "test_who_looks_ahead_expects_what_all_waves_come_to",
}
"""Tests that take each kernel by themselves, as the slow twin that they compare with needs most of the time."""
WITH_NONE = {
    "test_a_first_wave_has_nobody_to_hold",
    "test_cheap_parts_are_known_before_the_others",
    "test_every_chain_survives_its_document",
    "test_every_force_loses_whom_the_rules_name",
    "test_forces_found_rank_by_rank_are_those_found_one_by_one",
    "test_forces_on_lines_are_those_that_hits_lead_to",
    "test_hits_have_the_law_of_every_roll_in_turn",
    "test_in_however_small_pieces_it_is_worked_out_the_answer_is_the_same",
    "test_of_an_army_too_large_to_try_all_of_it_the_cheapest_part_is_still_found",
    "test_one_wave_has_nothing_to_look_ahead_to",
    "test_one_wave_is_a_battle_as_ever",
    "test_the_cheapest_armies_are_those_that_are_known",
    "test_there_are_not_any_number_of_waves",
    "test_two_volleys_are_mixed_as_the_sum_of_their_hits",
    "test_what_is_wrong_in_a_wave_is_said_where_it_is",
    "test_what_is_too_much_work_is_refused_before_it_is_done",
    "test_what_units_hit_with_is_no_measure_where_they_change_their_part",
}
"""Tests that need no kernel and take long enough to run only once; they fail if they do reach one."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module, name = metafunc.module.__name__.rpartition(".")[2], metafunc.function.__name__
    twice = TWICE | pick(set(), TWICE_IN_A_WHOLE_RUN)
    if "kernel" in metafunc.fixturenames or (module in twice and name not in WITH_BOTH | WITH_NONE):
        metafunc.fixturenames.append("kernel")
        metafunc.parametrize("kernel", KERNELS, indirect=True)


@pytest.fixture(scope="module")
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(native.SETTING, request.param)
        yield request.param


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a test that needs no kernel fail if it reaches one."""
    if getattr(item, "originalname", "") not in WITH_NONE:
        return (yield)
    with patch.object(native, "library", side_effect=AssertionError("take the name of this test out of WITH_NONE")):
        return (yield)
