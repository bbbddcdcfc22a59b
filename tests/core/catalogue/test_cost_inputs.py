"""The row whose scope fits closest is taken."""

import pytest

from core.catalogue.cost_inputs import cost_input, find_cost_input
from core.catalogue.loading import load_catalogue
from core.errors import InputError


@pytest.mark.parametrize(
    ("name", "asked", "scope"),
    [
        ("egress_internet", "aws", "aws"),
        ("egress_internet", "nowhere", "any"),
        ("egress_internet", "gcp", "gcp"),
        ("commit_1y_discount", "gcp tpu-v5e", "gcp tpu"),
        ("commit_1y_discount", "gcp h100-sxm", "gcp h100-sxm"),
        ("commit_1y_discount", "gcp l4", "any"),
        ("spot_preempt_rate", "aws h100-sxm", "aws h100"),
        ("spot_preempt_rate", "aws mi300x", "any"),
        ("spot_price_ratio", "gcp tpu-v6e", "gcp tpu-v6e"),
        ("electricity", "us", "us"),
        ("electricity", "us us-california", "us-california"),
        ("capex_server", "h100-sxm", "h100-sxm"),
        ("engineer_cost", "any", "any"),
    ],
)
def test_closest_scope_wins(name: str, asked: str, scope: str) -> None:
    assert cost_input(load_catalogue(), name, asked).scope == scope


def test_unknown_input_is_refused() -> None:
    with pytest.raises(InputError, match="no row 'luck' for 'aws'"):
        cost_input(load_catalogue(), "luck", "aws")
    assert find_cost_input(load_catalogue(), "capex_server", "t4") is None
