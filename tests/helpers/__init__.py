"""What tests share: programs and servers to start, chats to play, random battles, and slow ways to the right answer."""

import pytest

# A failed assertion in a helper shows its values, as one in a test does.
pytest.register_assert_rewrite("tests.helpers.bot", "tests.helpers.solver")
