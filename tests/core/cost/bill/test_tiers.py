"""Prices by steps: continuous, never falling, worked out by hand, and refused where the table makes no sense."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cost.bill.tiers import EGRESS, SUPPORT, Tiers, read_tiers, tiers
from core.errors import InputError

AWS = tiers(EGRESS)["aws"]
ALL = st.sampled_from([*tiers(EGRESS).values(), *tiers(SUPPORT).values()])
HEAD = "provider,from_gb,usd,source,as_of,estimate,note\n"


@pytest.mark.parametrize(
    ("gb", "usd"),
    [
        (0, 0.0),
        (100, 0.0),
        (101, 0.09),
        (10_240, 912.60),  # 10,140 GB at 0.09
        (51_200, 912.60 + 3_481.60),  # and 40,960 at 0.085
        (153_600, 912.60 + 3_481.60 + 7_168.0),  # and 102,400 at 0.07
        (200_000, 912.60 + 3_481.60 + 7_168.0 + 2_320.0),  # and 46,400 at 0.05
    ],
)
def test_leaving_aws_by_hand(gb: float, usd: float) -> None:
    assert float(AWS.usd(np.array(gb))) == pytest.approx(usd)


def test_the_mean_price_of_a_gb_by_hand() -> None:
    """10,240 GB for 912.60 USD: 0.0891 each; for nothing that of the first."""
    assert AWS.rate(np.array([10_240.0, 0.0])) == pytest.approx([0.089121, 0.0], abs=1e-6)


@given(steps=ALL, amount=st.floats(0, 1e7), more=st.floats(0, 1e6))
def test_more_is_never_cheaper(steps: Tiers, amount: float, more: float) -> None:
    less_usd, more_usd = steps.usd(np.array([amount, amount + more]))
    assert more_usd >= less_usd - 1e-9 * less_usd


@given(steps=ALL)
def test_no_step_jumps(steps: Tiers) -> None:
    for start in steps.starts:
        below, above = steps.usd(np.array([max(start - 1e-3, 0.0), start + 1e-3]))
        assert above - below <= 2e-3 * max(steps.rates) + 1e-9


@pytest.mark.parametrize(
    "rows",
    [
        "x,5,0.1,S,2026,no,\n",
        "x,0,0.1,S,2026,no,\nx,0,0.2,S,2026,no,\n",
        "x,0,0.1,S,2026,no,\nx,9,0.2,S,2026,no,\nx,5,0.3,S,2026,no,\n",
        "x,0,-0.1,S,2026,no,\n",
        "x,0,cheap,S,2026,no,\n",
    ],
)
def test_steps_out_of_order_or_without_a_price_are_refused(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "steps.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    with pytest.raises(InputError, match="steps.csv"):
        read_tiers(path, "from_gb", "usd")
