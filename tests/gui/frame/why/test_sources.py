"""Where the figures of an option come from, in words."""

from datetime import date

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from gui.frame.why.sources import sources

PROFILE = Profile(
    id="pre", job=PreTraining(n_tokens=2e10),
    model=TransformerModel(name="8B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336),
)  # fmt: skip


def test_no_id_of_a_source_stands_where_people_read() -> None:
    catalogue = load_catalogue()
    joined = 0
    for result in evaluate(PROFILE, catalogue).results:
        for line in sources(catalogue, result, date(2026, 11, 21)):
            assert not catalogue.sources.keys() & set(line.detail.replace("+", " ").replace(";", " ").split()), line
        joined += "+" in result.candidate.accelerator.source
    assert joined


def test_a_price_that_does_not_stand_says_what_it_is() -> None:
    catalogue = load_catalogue()
    found = {}
    for result in evaluate(PROFILE, catalogue).results:
        price = sources(catalogue, result, date(2026, 11, 21))[0]
        found[result.candidate.offer.quality] = price.words
    assert found["ok"].count(",") == 1
    assert found["secondary"].endswith(", second-hand source")
    assert found["spot moves"].endswith(", spot price of a day")
