"""Whatever passes the checks of own entries can be evaluated, and the answer holds finite numbers."""

import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalogue.entries import Accelerator, Offer, Server
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import checked_layers
from core.catalogue.own.layers import OwnEntries
from core.comparison.evaluate import evaluate
from core.errors import InputError
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import PURCHASE_WORDS, Places, Profile
from tests.core.own_samples import own_host, own_offer, own_server

MODEL = TransformerModel(name="8B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336)
JOBS = (
    PreTraining(n_tokens=2e10),
    FineTuning(n_tokens=1e8),
    BatchInference(requests_per_batch=1e5),
    OnlineServing(peak_requests_per_s=5),
)
OPTIONAL = [name for name in Accelerator.model_fields if name.endswith(("_tflops", "_tops"))]
OPTIONAL += ["link_gbps_one_way", "tdp_w"]


@st.composite
def chips(draw: st.DrawFn) -> Accelerator:
    """A shipped chip with figures left out or stretched, as a correction or under a name of its own."""
    base = draw(st.sampled_from(load_catalogue().accelerators))
    changes: dict[str, object] = dict.fromkeys(draw(st.sets(st.sampled_from(OPTIONAL))))
    ranges = {
        "kind": st.sampled_from(["gpu", "tpu", "other"]),
        "torus_dims": st.sampled_from([0, 2, 3]),
        "memory_gb": st.floats(0.001, 1e5),
        "memory_bandwidth_gbps": st.floats(0.01, 1e6),
        "scaleup_gbps_one_way": st.floats(0.1, 1e5),
        "scaleup_domain_chips": st.integers(1, 10000),
        "pcie_gbps": st.floats(0.1, 1000),
        "matrix_tile": st.integers(1, 512),
        "family": st.sampled_from(["nvidia_gpu", "google_tpu", "something new"]),
    }
    for name in draw(st.sets(st.sampled_from(sorted(ranges)))):
        changes[name] = draw(ranges[name])
    if draw(st.booleans()):
        changes |= {"id": "mine", "short_name": "Mine"}
    return base.model_copy(update={**changes, "announced": False, "source": "as entered"})


@st.composite
def entries(draw: st.DrawFn) -> OwnEntries:
    """A chip with a host, a price and a server of it."""
    chip = draw(chips())
    host = own_host(chip=chip.id, n_chips=draw(st.sampled_from([1, 2, 3, 4, 8, 16, 72])), instance="mine")
    paid = draw(st.sampled_from([model for model in PURCHASE_WORDS if model != "owned"]))
    region = draw(st.sampled_from(["user-hk", "user-lax", "any", "nowhere"]))
    offer: Offer = own_offer(host, region, draw(st.floats(0.01, 150)) * host.n_chips, purchase_model=paid)
    changes = {"accelerator_id": chip.id, "n_chips": host.n_chips, "in_house": draw(st.booleans())}
    power = {"power_kw": draw(st.none() | st.floats(0, 100)), "low_usd": 0.0, "typical_usd": draw(st.floats(0, 1e6))}
    server: Server = own_server().model_copy(update={**changes, **power, "high_usd": 2e6})
    return OwnEntries(accelerators=(chip,), hosts=(host,), offers=(offer,), servers=(server,))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(entries(), st.sampled_from(JOBS))
def test_whatever_passes_the_checks_can_be_evaluated(own: OwnEntries, job: object) -> None:
    try:
        catalogue = checked_layers(load_catalogue(), own)
    except InputError as error:
        assert error.where.startswith("own chip")
        return
    places = Places(providers=("dedicated", "own"), purchase_models=tuple(PURCHASE_WORDS))
    results = evaluate(Profile(id="p", job=job, model=MODEL, places=places), catalogue)  # type: ignore[arg-type]
    assert results.results
    for result in results.results:
        if result.feasible:
            spans = (result.cost.total, result.run_h, result.energy_kwh)
            assert all(math.isfinite(v) and v >= 0 for span in spans for v in (span.low, span.likely, span.high))
