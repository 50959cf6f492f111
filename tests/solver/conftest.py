"""Which tests of Axis & Allies run twice: through the compiled kernel, if it is there, and through numpy."""

from collections.abc import Iterator

import pytest

from solver.axis.kernel import native

TWICE = {
    "test_axis_brute",
    "test_axis_kernel",
    "test_axis_levels",
    "test_axis_needs",
    "test_axis_oracles",
    "test_axis_parts",
    "test_axis_waves_brute",
    "test_wave_answers",
    "test_waves",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2] in TWICE:
        metafunc.fixturenames.append("kernel")
        metafunc.parametrize("kernel", ["compiled", "numpy"] if native.library() else ["numpy"], indirect=True)


@pytest.fixture(scope="module")
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(native.SETTING, request.param)
        yield request.param
