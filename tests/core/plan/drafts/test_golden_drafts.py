"""Every form for own entries: what it asks, within which bounds, what it answers, and the entries that come of it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.plan.drafts.base import Draft
from core.plan.drafts.chip import ChipDraft
from core.plan.drafts.discount import DiscountDraft, discount_fields, discount_of, discount_verdict
from core.plan.drafts.kinds import HAVE, KINDS, Kind, judged
from tests.golden import as_plain, assert_kept

TODAY = date(2028, 2, 29)
MOST_CHOICES = 12
"""Longer lists are those of the catalogue, which grows."""
ORIGIN: dict[str, Any] = {"source": " Quote 7 ", "note": " by phone "}
HOST: dict[str, Any] = {"provider": "Lambda", "instance": " 4x ", "accelerator_id": "h100-sxm", "n_chips": 4, **ORIGIN}
PLACED: dict[str, Any] = {"provider": "harbour", "place": "user-hk", "until": date(2029, 1, 31)}
TYPED: dict[str, list[dict[str, Any]]] = {
    "offers": [
        {**HOST, "amount_usd": 9.5, "per": "chip_hour", "joined": "yes", "attested_chips": 1},
        {**HOST, "amount_usd": 1460.0, "per": "host_month", "n_chips": 1, "place": "us-east-1"},
    ],
    "hosts": [HOST, {**HOST, "n_chips": 1, "n_vcpu": 1, "ram_gb": 0.5, "local_nvme_tb": 0, "network_gbit_per_s": 1}],
    "accelerators": [
        {
            "like": "h100-sxm", "name": " New  One+ ", "short_name": "N1", "vendor": "maker", "memory_gb": 1,
            "memory_bandwidth_gbps": 1, "scaleup_gbps_one_way": 1, "scaleup_domain_chips": 1, "pcie_gbps": 1,
            "tdp_w": 1, "bf16_tflops": 989.4, **ORIGIN,
        },
    ],
    "servers": [
        {"instance": " Old   rack", "accelerator_id": "a100-sxm-80", "n_chips": n, "power_kw": 10.0 + n, **ORIGIN,
         "typical_usd": 1.0, "low_usd": low, "have": have}
        for n, low, have in ((2, None, "have"), (3, 0.5, "buy"))
    ],
    "have": [
        {"accelerator_id": "h200-sxm", "held_chips": 1200, "until": TODAY},
        {"accelerator_id": "h200-sxm", "held_chips": 12, "where": "reserved", **PLACED},
        {"accelerator_id": "h200-sxm", "held_chips": 12, "n_chips": 1, "where": "reserved", **PLACED, "provider": " "},
        {"accelerator_id": "h200-sxm", "held_chips": 12, "n_chips": 6, "until": TODAY, "network_gbit_per_s": 0.5},
    ],
}  # fmt: skip
ALL_KINDS = {**KINDS, "have": HAVE}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _asked(infos: list[Any]) -> list[Any]:
    told = [as_plain(info) for info in infos]
    for one in told:
        one["choices"] = "many" if len(one["choices"]) > MOST_CHOICES else one["choices"]
    return told


def _said(kind: Kind, draft: Draft, catalogue: Catalogue) -> dict[str, Any]:
    """Which fields are shown, what is said beside them, and the entries without what they have at rest."""
    verdict = judged(kind, draft, catalogue, TODAY)
    made = {} if draft.missing() else kind.entries(draft, catalogue).model_dump(exclude_defaults=True)
    asked = [info.path for info in kind.ask(draft, catalogue)]
    hints = {name: words for name, words in kind.hints(draft, catalogue).items() if name != "provider"}
    return {"asked": asked, "hints": hints, "verdict": verdict, "made": made}


@pytest.mark.parametrize("table", list(ALL_KINDS))
def test_a_form_is_kept(catalogue: Catalogue, table: str) -> None:
    kind = ALL_KINDS[table]
    empty = kind.begin(TODAY)
    drafts = [type(empty)(**{"as_of": TODAY, **typed}) for typed in TYPED[table]]
    told = {
        "words": [kind.table, kind.word, kind.article],
        "asked": _asked(kind.ask(empty, catalogue)),
        "empty": [empty, empty.missing()],
        "typed": [_said(kind, draft, catalogue) for draft in drafts],
    }
    assert_kept(f"drafts_{table}", told)


def test_the_form_of_a_discount_is_kept(catalogue: Catalogue) -> None:
    empty = DiscountDraft(as_of=TODAY)
    drafts = [
        DiscountDraft(provider="aws", percent=10, as_of=TODAY, **ORIGIN),
        DiscountDraft(provider="aws", percent=0, purchase_model="spot", accelerator_id="tpu-v5e", as_of=TODAY),
        DiscountDraft(provider="nobody", percent=1, as_of=TODAY, **ORIGIN),
    ]
    told = [[draft.missing(), discount_verdict(draft, catalogue, TODAY)] for draft in (empty, *drafts)]
    assert_kept("drafts_discounts", [_asked(discount_fields(empty, catalogue)), told, discount_of(drafts[0])])


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [("tdp_w", 0.001, 20_000), ("pcie_gbps", 0.001, 1e4), ("scaleup_domain_chips", 1, 100_000)],
)
def test_a_figure_of_a_chip_has_bounds(field: str, least: float, most: float) -> None:
    for value in (least, most):
        assert ChipDraft.model_validate({"as_of": TODAY, field: value}).model_dump()[field] == value
    for value in (0, most + 1):
        with pytest.raises(ValueError, match=field):
            ChipDraft.model_validate({"as_of": TODAY, field: value})
