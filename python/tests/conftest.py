"""What the tests share."""

from pathlib import Path

import pytest

import zonewalk

#: The models of the repository.
MODELS = Path(__file__).parents[2] / "models"

COUNTER = """
const int N = 3; const int D[2] = {1, 1}; int n; clock x;
process P() {
    state a { x <= 4 }, b; init a;
    trans a -> a { guard n < N * D[0] && x >= 1; assign n = n + D[1], x = 0; }, a -> b { guard n == N; };
}
system P;
"""


@pytest.fixture
def models() -> Path:
    return MODELS


@pytest.fixture
def broken() -> zonewalk.Model:
    return zonewalk.load(MODELS / "fischer-broken.xml", {"N": 3})
