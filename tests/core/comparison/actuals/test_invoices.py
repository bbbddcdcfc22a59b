"""Which bills hold an invoice for hardware, and what of it is still to be paid."""

from __future__ import annotations

import pytest

from core.comparison.actuals.invoices import invoiced_usd, still_due_share
from core.workload.actuals import Baseline


@pytest.mark.parametrize(
    ("spend_usd", "days", "before_usd", "invoice_usd"),
    [
        (53_000.0, 30.0, 0.0, 50_000.0),
        (8_000.0, 30.0, 0.0, 5_000.0),  # a tenth of 50 000 above 30 days at 100 a day
        (7_900.0, 30.0, 0.0, 0.0),
        (53_000.0, 30.0, 50_000.0, 0.0),
    ],
)
def test_a_bill_well_above_the_running_cost_of_its_days_is_an_invoice_until_all_is_paid(
    bought: Baseline, spend_usd: float, days: float, before_usd: float, invoice_usd: float
) -> None:
    assert bought.usd_per_day == 100.0
    assert invoiced_usd(bought, spend_usd, days, before_usd) == invoice_usd


def test_no_bill_of_rented_chips_is_an_invoice(baseline: Baseline) -> None:
    assert invoiced_usd(baseline, 1e9, 1.0, 0.0) == 0.0 and still_due_share(baseline.hardware, 0.0) == 0.0


@pytest.mark.parametrize(("paid", "due"), [(0.0, 1.0), (20_000.0, 0.6), (40_000.0, 0.0), (60_000.0, 0.0)])
def test_a_deposit_leaves_the_rest_and_cheaper_hardware_leaves_nothing(
    bought: Baseline, paid: float, due: float
) -> None:
    assert still_due_share(bought.hardware, paid) == pytest.approx(due)
