"""Names of amd-smi's figures by their paths."""

from __future__ import annotations

import pytest

from core.logs.machine.amd_keys import amd_key


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (("usage", "gfx_activity"), "gfx_activity"),
        (("clock", "gfx_0", "min_clk"), ""),
        (("clock",), ""),
        (("power", "socket_power"), "socket_power"),
    ],
)
def test_a_key_is_the_end_of_its_path_but_for_clocks_that_nobody_knows(path: tuple[str, ...], key: str) -> None:
    assert amd_key(path) == key
