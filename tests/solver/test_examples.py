"""The examples in the docstrings of the solver run."""

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import solver
from tests.helpers.cases import each

MODULES = ["solver", *(module.name for module in walk_packages(solver.__path__, "solver."))]


@each(MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    # To search a module for examples takes as long where there are none.
    assert ">>>" not in inspect.getsource(import_module(name)) or doctest.testmod(import_module(name)).failed == 0


def test_every_main_function_has_an_example() -> None:
    """The finder sees none in what it does not know, such as a cached property: there they would never be run."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    with_examples = {
        test.name.rpartition(".")[2] for name in MODULES for test in finder.find(import_module(name)) if test.examples
    }
    main = {"Battle", "solve", "Odds", "Pool", "Path", "march", "win_chances", "need", "attacker_wins", "takes_all"}
    more = {"Waves", "solve_waves", "Raid", "solve_raid", "Placing", "place", "total_luck", "evenness_p_value"}
    axis = {"AxisBattle", "Army", "Rules", "solve_axis", "best_armies", "best_orders", "unit_sensitivity", "hit_laws"}
    assert main | more | axis <= with_examples
