"""Which tests of Axis & Allies run twice: through the compiled kernel, if it is there, and through numpy."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from solver.compiled import library
from tests.helpers.extent import pick
from tests.helpers.solver.kernels import KERNELS

TWICE = {
    "test_axis_brute",
    "test_axis_kernel",
    "test_axis_needs",
    "test_axis_oracles",
    "test_waves",
}
TWICE_IN_A_WHOLE_RUN = {"test_axis_parts", "test_wave_answers"}
"""What they ask of a kernel, `test_waves` and `test_axis_needs` ask of both in every run."""
WITH_BOTH = {
    "test_any_waves_at_sea_with_lasting_damage_agree_with_the_twin",
    "test_any_waves_on_land_agree_with_the_slow_twin",
    "test_attackers_at_sea_retreat_as_they_plan",
    "test_attackers_on_land_retreat_as_they_plan",
    "test_battles_at_sea_are_fought_as_the_rules_say",
    "test_battles_on_land_are_fought_as_the_rules_say",
    "test_lookahead_expects_the_profit_of_all_waves",
}
"""Tests that take each kernel by themselves, as the slow twin that they compare with needs most of the time."""
WITH_NONE = {
    "test_a_hold_in_the_first_wave_is_refused",
    "test_cheap_parts_of_an_army_are_computed_first",
    "test_waves_survive_their_document",
    "test_waves_with_other_units_keep_everything_else",
    "test_every_force_loses_the_units_that_the_rules_name",
    "test_forces_by_rank_are_those_of_the_plain_search",
    "test_hits_have_the_law_of_every_roll_in_turn",
    "test_parts_computed_in_small_pieces_have_the_same_odds",
    "test_a_survey_cut_short_still_has_the_cheapest_army",
    "test_lookahead_with_one_wave_is_refused",
    "test_a_document_of_one_wave_is_a_plain_battle",
    "test_the_cheapest_armies_agree_with_known_answers",
    "test_waves_above_the_limit_are_refused",
    "test_two_volleys_have_the_law_of_the_sum_of_their_hits",
    "test_a_mistake_in_a_wave_names_wave_and_field",
    "test_parts_of_too_much_work_are_refused_before_the_work",
    "test_the_measure_power_is_refused_in_a_hold",
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
        monkeypatch.setenv(library.SETTING, request.param)
        yield request.param


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a test that needs no kernel fail if it reaches one."""
    if getattr(item, "originalname", "") not in WITH_NONE:
        return (yield)
    with patch.object(library, "library", side_effect=AssertionError("take the name of this test out of WITH_NONE")):
        return (yield)
